import type { GraphContent, Visibility } from '@meadow/contract'
import { acousticCeiling } from './definitions/acoustic-ceiling.ts'
import { attractorFacade } from './definitions/attractor-facade.ts'
import { branchingColumn } from './definitions/branching-column.ts'
import { cableNet } from './definitions/cable-net.ts'
import { circularBasin } from './definitions/circular-basin.ts'
import { gridshell } from './definitions/gridshell.ts'
import { officeGrid } from './definitions/office-grid.ts'
import { parkingLayout } from './definitions/parking-layout.ts'
import { pavilionVault } from './definitions/pavilion-vault.ts'
import { spiralStair } from './definitions/spiral-stair.ts'
import { sunLouvres } from './definitions/sun-louvres.ts'
import { terrainContours } from './definitions/terrain-contours.ts'
import { trussBridge } from './definitions/truss-bridge.ts'
import { twistedTower } from './definitions/twisted-tower.ts'
import { waffleBench } from './definitions/waffle-bench.ts'

export interface DemoFolder {
  name: string
  folders: DemoFolder[]
  documents: DemoDocument[]
}

export interface DemoDocument {
  name: string
  visibility: Visibility
  /** Milliseconds since 1970. */
  createdAt: number
  updatedAt: number
  /** Stays in the state that a document has before it is opened in the editor. */
  leaveUnsolved: boolean
  /** Its wires form a cycle, as an example of a failed solve. */
  failsOnPurpose: boolean
  createContent: () => GraphContent
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
  const document = (
    name: string,
    createContent: () => GraphContent,
    properties: Properties,
  ): DemoDocument => ({
    name,
    visibility: properties.visibility ?? 'private',
    createdAt: now - Math.round(properties.createdHoursAgo * HOUR_MS),
    updatedAt: now - Math.round(properties.updatedHoursAgo * HOUR_MS),
    leaveUnsolved: properties.leaveUnsolved ?? false,
    failsOnPurpose: properties.failsOnPurpose ?? false,
    createContent,
  })
  return folder('', [
    document('Branching column', branchingColumn, { createdHoursAgo: 52.4, updatedHoursAgo: 3.1 }),
    folder('2401 Harbour tower', [
      folder('Massing', [
        folder('Option 2', [
          document('Twisted tower', twistedTower, { createdHoursAgo: 6310.2, updatedHoursAgo: 26.7 }),
        ]),
        folder('Option 10', []),
      ]),
      folder('Façade', [
        document('Façade with an attractor', attractorFacade, {
          createdHoursAgo: 4120.9,
          updatedHoursAgo: 71.3,
        }),
      ]),
      folder('Structure', [
        document('Office column grid', officeGrid, { createdHoursAgo: 5904.5, updatedHoursAgo: 168.2 }),
      ]),
      folder('Site', [
        document('Terrain contours', terrainContours, { createdHoursAgo: 6287.8, updatedHoursAgo: 2210.4 }),
        document('Parking layout', parkingLayout, { createdHoursAgo: 3018.6, updatedHoursAgo: 215.9 }),
      ]),
    ]),
    folder('2318 Ponte São João', [
      document('Truss bridge', trussBridge, { createdHoursAgo: 7950.1, updatedHoursAgo: 1340.5 }),
    ]),
    folder('2405 北区 Pavilion', [
      document('Pavilion vault', pavilionVault, {
        createdHoursAgo: 1480.3,
        updatedHoursAgo: 5.6,
        visibility: 'public',
      }),
      document('Waffle bench', waffleBench, { createdHoursAgo: 1105.7, updatedHoursAgo: 98.8 }),
    ]),
    folder('Facade studies', [
      document('Sun shading louvres', sunLouvres, { createdHoursAgo: 2566.4, updatedHoursAgo: 47.2 }),
    ]),
    folder('Structures', [
      document('Gridshell', gridshell, { createdHoursAgo: 4733.3, updatedHoursAgo: 502.6 }),
      document('Cable net roof (C#)', cableNet, { createdHoursAgo: 933.9, updatedHoursAgo: 121.4 }),
    ]),
    folder('Templates', [
      document('Circular basin (fails on purpose)', circularBasin, {
        createdHoursAgo: 611.2,
        updatedHoursAgo: 308.4,
        failsOnPurpose: true,
      }),
      document('Spiral stair', spiralStair, { createdHoursAgo: 8402.7, updatedHoursAgo: 3877.2 }),
    ]),
    folder('Archive', [
      folder('2209 Wettbewerb Köln', [
        document('Acoustic ceiling', acousticCeiling, {
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
    documents: content.filter((item) => 'createContent' in item),
  }
}
