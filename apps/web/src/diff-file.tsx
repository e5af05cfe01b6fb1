import './styles.ts'
import './shell/page.css'
import { Group, MantineProvider, Stack, Title } from '@mantine/core'
import type { Difference } from '@meadow/diff'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { theme } from './app-theme.ts'
import { type ComparedDocument, DiffView } from './document/diff/diff-view.tsx'
import { CharacterKeysSwitch } from './document/keys/character-keys-switch.tsx'
import { cssVariables } from './theme.ts'

/**
 * What an HTML file with a visual diff shows: JSON in its `<script type="application/json" id="diff">`, in which `<` is
 * written as `\u003c`. The page is drawn into its `<div id="root">`, and requests nothing.
 */
export interface DiffFile {
  before: ComparedDocument
  after: ComparedDocument
  difference: Difference
}

const file: DiffFile = JSON.parse(document.getElementById('diff')!.textContent)

createRoot(document.getElementById('root')!).render(
  <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
    {/* Nodes of the canvas query the values of a solution, although there is no solution here. */}
    <QueryClientProvider client={new QueryClient()}>
      <Stack h="100dvh" gap={0} component="main">
        <Group px="sm" py={6} justify="space-between" wrap="nowrap">
          <Title order={1} size="h5" lineClamp={1}>
            {file.before.label} → {file.after.label}
          </Title>
          <CharacterKeysSwitch isBrief />
        </Group>
        <div style={{ flex: 1, minHeight: 0 }}>
          <DiffView before={file.before} after={file.after} difference={file.difference} />
        </div>
      </Stack>
    </QueryClientProvider>
  </MantineProvider>,
)
