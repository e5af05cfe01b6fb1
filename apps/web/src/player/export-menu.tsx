import { NativeSelect } from '@mantine/core'
import { type AppDocument, readEditorScene, readScene } from '@meadow/contract/web'
import { useMutation } from '@tanstack/react-query'
import { ApiError, call } from '../api/call.ts'
import { IconDownload } from '../icons.ts'
import { Notices, notify } from '../shell/notices.tsx'
import type { Player } from './use-player.ts'
import type { ModelFormat } from './write-model.ts'

const FORMATS: { format: ModelFormat; label: string }[] = [
  { format: 'glb', label: 'glTF model (.glb)' },
  { format: 'obj', label: 'Wavefront model (.obj)' },
  { format: 'stl', label: 'Mesh for printing (.stl)' },
]

/** Makes a file of the geometry that is seen, in the browser. For members of the team. */
export function ExportMenu({ document, player }: { document: AppDocument; player: Player }) {
  const { isCurrent, isRough, solutionId, scene, units, hiddenIds } = player
  const exporting = useMutation({
    async mutationFn(format: ModelFormat) {
      // The stored solution is seen in rounded numbers: the file has the exact ones.
      const exact = solutionId
        ? readScene(
            (await call(readEditorScene, { params: [document.id, solutionId] })).buffer as ArrayBuffer,
          )
        : scene
      if (!exact) throw new ApiError(0, 'There is no geometry to export.')
      const { writeModel } = await import('./write-model.ts')
      const isShown = (nodeId: string) => !hiddenIds.has(nodeId)
      download(await writeModel({ scene: exact, isShown, units, format }), `${document.name}.${format}`)
    },
    onError: notify,
  })
  return (
    <>
      <NativeSelect
        aria-label="Export"
        size="xs"
        w={104}
        leftSection={<IconDownload size={14} aria-hidden />}
        disabled={!scene || !isCurrent || isRough || exporting.isPending}
        title={isCurrent ? undefined : 'Wait until what you see is of your values.'}
        data={[
          { value: '', label: exporting.isPending ? 'Making the file …' : 'Export' },
          ...FORMATS.map(({ format, label }) => ({ value: format, label })),
        ]}
        value=""
        onChange={({ currentTarget: { value } }) => value && exporting.mutate(value as ModelFormat)}
      />
      <Notices />
    </>
  )
}

function download(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  // As in other exports, the name has no character that a system refuses.
  link.download = name.replaceAll(/[\\/:*?"<>|]/g, '_')
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
