import type { Chunk } from '../../../archive/tree/archive.ts'
import { ensureChunk, setItem, setItems } from '../../../archive/tree/edit.ts'
import { findChunk, findItem } from '../../../archive/tree/find.ts'
import { toList, toText, toWindowsText } from '../../model/coerce.ts'
import type { DefinitionObject } from '../../model/definition-object.ts'
import { findText } from '../../model/text.ts'
import type { Change } from './change.ts'

/** Writes the source to where the generation of the component stores it. */
export function updateScript({ container }: DefinitionObject, { member }: Change): void {
  const script = findChunk(container, 'Script')
  if (script) {
    updateScript8(script, member)
    member('takesSource', (value) => setItem(container, 'bool', 'UsingScriptInputParam', value === true))
    return
  }
  member('source', (text) => {
    const name = findItem(container, 'ScriptSource', 'string') === undefined ? 'CodeInput' : 'ScriptSource'
    setItem(container, 'string', name, toWindowsText(text))
  })
  member('imports', (text) => setItem(container, 'string', 'UsingSource', toWindowsText(text)))
  member('members', (text) => setItem(container, 'string', 'AdditionalSource', toWindowsText(text)))
  member('references', (paths) => {
    const texts = toList(paths).map(toText)
    setItems(container, 'string', 'Reference', texts)
    setItem(container, 'int32', 'ReferenceCount', texts.length)
  })
}

/** Rhino 8 stores base64, and keeps the line ends of the text. */
function updateScript8(script: Chunk, member: Change['member']): void {
  member('source', (text) => {
    const earlier = Buffer.from(findText(script, 'Text') ?? '', 'base64').toString('utf8')
    const ended = earlier.includes('\r\n') ? toWindowsText(text) : toText(text)
    setItem(script, 'string', 'Text', Buffer.from(ended).toString('base64'))
  })
  member('languageSpec', (text) => {
    const [taxon = '', ...version] = toText(text).split(' ')
    const spec = ensureChunk(script, 'LanguageSpec')
    setItem(spec, 'string', 'Taxon', taxon)
    setItem(spec, 'string', 'Version', version.join(' '))
  })
}
