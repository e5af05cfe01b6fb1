import type { AppDocument } from '@meadow/contract/web'
import type { ComponentType } from 'react'
import {
  type Icon,
  IconAdjustments,
  IconBookmark,
  IconChecks,
  IconFileInfo,
  IconHistory,
  IconInfoCircle,
  IconMessage2,
} from '../../shell/icons.ts'
import { type LoadPart, lazyPart, notLoaded } from '../../shell/lazy-part.tsx'
import type { DockTab } from '../state/use-dock.ts'

interface Tab {
  label: string
  /** The panel in a sentence. */
  what: string
  icon: Icon
  /** The content; undefined for what the graph renders into the dock. */
  Panel?: ComponentType
  /** Whether readers of a document have it; by default, all do. */
  isFor?: (document: AppDocument) => boolean
}

/** Returns the parts of a tab whose content is loaded when it is opened first. */
function panel<Name extends string>(what: string, load: LoadPart<Name, object>, name: Name) {
  return { what, Panel: lazyPart(load, name, notLoaded(`T${what.slice(1)}`)) }
}

const isMember = ({ role }: AppDocument) => role !== null

/** The tabs of the dock, in the order of their buttons. */
export const TABS: Record<DockTab, Tab> = {
  comments: {
    label: 'Comments',
    icon: IconMessage2,
    isFor: isMember,
    ...panel('the comments', () => import('../comments/comments-panel.tsx'), 'CommentsPanel'),
  },
  views: {
    label: 'Named views',
    icon: IconBookmark,
    ...panel('the named views', () => import('../named-views/views-panel.tsx'), 'ViewsPanel'),
  },
  history: {
    label: 'History',
    icon: IconHistory,
    isFor: isMember,
    ...panel('the history', () => import('../history/history-panel.tsx'), 'HistoryPanel'),
  },
  player: {
    label: 'Player',
    icon: IconAdjustments,
    ...panel('the player', () => import('../player-panel/player-panel.tsx'), 'PlayerPanel'),
  },
  properties: { label: 'Properties', what: 'the properties', icon: IconInfoCircle },
  state: {
    label: 'State',
    icon: IconChecks,
    ...panel('the state', () => import('../state-panel/state-panel.tsx'), 'StatePanel'),
  },
  file: {
    label: 'About the file',
    icon: IconFileInfo,
    isFor: ({ fileName }) => fileName !== null,
    ...panel('the file', () => import('../state-panel/file-panel.tsx'), 'FilePanel'),
  },
}
