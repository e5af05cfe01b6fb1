export type {
  CanvasPoint,
  CommentsEvent,
  GraphContent,
  Node,
  PortReference,
  Presence,
  SolveEvent,
  ViewsEvent,
} from '@meadow/contract'
export * from '@meadow/document/live'
export type { LiveDocument, LiveEvents, LiveStatus } from './live-document.ts'
export { LiveError, type LiveFault } from './live-error.ts'
export { type LiveOptions, openLive } from './live-session.ts'
export type { LivePerson, OwnPresence } from './people.ts'
