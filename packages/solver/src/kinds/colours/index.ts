import type { Kind } from '../define-kind.ts'
import { CHANNELS } from './channels.ts'

export const COLOUR_KINDS: readonly Kind[] = CHANNELS
