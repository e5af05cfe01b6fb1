import type { Kind } from '../declaration/define-kind.ts'
import { TEXT_EDITS } from './edits.ts'
import { TEXT_PARTS } from './parts.ts'
import { READ_FILES } from './read-file.ts'
import { TEXTS } from './texts.ts'

export const TEXT_KINDS: readonly Kind[] = [...TEXTS, ...TEXT_EDITS, ...TEXT_PARTS, ...READ_FILES]
