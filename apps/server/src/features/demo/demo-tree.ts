import type { Visibility } from '@meadow/contract'

export interface DemoFolder {
  name: string
  folders: DemoFolder[]
  documents: DemoDocument[]
}

export interface DemoDocument {
  name: string
  /** Names its definition, for `readDemoDefinition`. */
  file: string
  visibility: Visibility
  /** Milliseconds since 1970. */
  createdAt: number
  updatedAt: number
  /** Stays in the state that a document has before it is opened in the editor. */
  leaveUnsolved: boolean
  /** Whether its wires form a cycle, as an example of a failed solve. */
  failsOnPurpose: boolean
}

/** The times of a document in hours before `now`, and its differences from the defaults. */
interface Properties {
  createdHoursAgo: number
  updatedHoursAgo: number
  visibility?: Visibility
  leaveUnsolved?: boolean
  failsOnPurpose?: boolean
}

const HOUR_MS = 3_600_000

/** The content of the demo team, in its root folder. Times are in the year before `now` (milliseconds since 1970). */
export function createDemoTree(now: number): DemoFolder {
  const document = (name: string, file: string, properties: Properties): DemoDocument => ({
    name,
    file,
    visibility: properties.visibility ?? 'private',
    createdAt: now - Math.round(properties.createdHoursAgo * HOUR_MS),
    updatedAt: now - Math.round(properties.updatedHoursAgo * HOUR_MS),
    leaveUnsolved: properties.leaveUnsolved ?? false,
    failsOnPurpose: properties.failsOnPurpose ?? false,
  })
  return folder('', [
    document('Branching column', 'branching-column', { createdHoursAgo: 52.4, updatedHoursAgo: 3.1 }),
    folder('2401 Harbour tower', [
      folder('Massing', [
        folder('Option 2', [
          document('Twisted tower', 'twisted-tower', { createdHoursAgo: 6310.2, updatedHoursAgo: 26.7 }),
        ]),
        folder('Option 10', []),
      ]),
      folder('Façade', [
        document('Façade with an attractor', 'attractor-facade', {
          createdHoursAgo: 4120.9,
          updatedHoursAgo: 71.3,
        }),
      ]),
      folder('Structure', [
        document('Office column grid', 'office-grid', { createdHoursAgo: 5904.5, updatedHoursAgo: 168.2 }),
      ]),
      folder('Site', [
        document('Terrain contours', 'terrain-contours', {
          createdHoursAgo: 6287.8,
          updatedHoursAgo: 2210.4,
        }),
        document('Parking layout', 'parking-layout', { createdHoursAgo: 3018.6, updatedHoursAgo: 215.9 }),
      ]),
    ]),
    folder('2318 Ponte São João', [
      document('Truss bridge', 'truss-bridge', { createdHoursAgo: 7950.1, updatedHoursAgo: 1340.5 }),
    ]),
    folder('2405 北区 Pavilion', [
      document('Pavilion vault', 'pavilion-vault', {
        createdHoursAgo: 1480.3,
        updatedHoursAgo: 5.6,
        visibility: 'public',
      }),
      document('Waffle bench', 'waffle-bench', { createdHoursAgo: 1105.7, updatedHoursAgo: 98.8 }),
    ]),
    folder('Facade studies', [
      document('Sun shading louvres', 'sun-louvres', { createdHoursAgo: 2566.4, updatedHoursAgo: 47.2 }),
    ]),
    folder('Structures', [
      document('Gridshell', 'gridshell', { createdHoursAgo: 4733.3, updatedHoursAgo: 502.6 }),
      document('Cable net roof (C#)', 'cable-net', { createdHoursAgo: 933.9, updatedHoursAgo: 121.4 }),
    ]),
    folder('Templates', [
      document('Circular basin (fails on purpose)', 'circular-basin', {
        createdHoursAgo: 611.2,
        updatedHoursAgo: 308.4,
        failsOnPurpose: true,
      }),
      document('Spiral stair', 'spiral-stair', { createdHoursAgo: 8402.7, updatedHoursAgo: 3877.2 }),
    ]),
    folder('Archive', [
      folder('2209 Wettbewerb Köln', [
        document('Acoustic ceiling', 'acoustic-ceiling', {
          createdHoursAgo: 8611.5,
          updatedHoursAgo: 7012.8,
          leaveUnsolved: true,
        }),
      ]),
    ]),
  ])
}

function folder(name: string, content: (DemoFolder | DemoDocument)[]): DemoFolder {
  return {
    name,
    folders: content.filter((item) => 'folders' in item),
    documents: content.filter((item) => 'file' in item),
  }
}

/** The documents of a folder and of the folders in it. */
export const listDemoDocuments = ({ folders, documents }: DemoFolder): DemoDocument[] => [
  ...documents,
  ...folders.flatMap(listDemoDocuments),
]
