import { Center, Paper, Stack, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { LogoImage } from '../shell/logo.tsx'
import { useTitle } from '../shell/use-title.ts'

interface CardPageProps {
  title: string
  /** In pixels. */
  maxWidth?: number
  children: ReactNode
}

/** A page with one form, without the shell. */
export function CardPage({ title, maxWidth = 400, children }: CardPageProps) {
  useTitle(title)
  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper withBorder p="xl" w="100%" maw={maxWidth} shadow="sm">
        <Stack>
          <LogoImage size={40} />
          <Title order={1} size="h3">
            {title}
          </Title>
          {children}
        </Stack>
      </Paper>
    </Center>
  )
}
