import type { ScriptLanguage } from '../node-state.ts'

/**
 * The script components: GUID, name, language (undefined: the component tells). Their ports are the author's own.
 * Source: facts of nodepen/nodes (MIT), checked against several hundred public definitions.
 */
// biome-ignore format: one component a line
export const SCRIPTS: readonly (readonly [guid: string, name: string, language: ScriptLanguage | undefined])[] = [
  ['410755b1-224a-4c1e-a407-bf32fb45ea7e', 'GhPython Script', 'python2'],
  ['ceab6e56-ceec-a646-84d5-363c57440969', 'Python Interpreter', 'python2'],
  ['a9a8ebd2-fff5-4c44-a8f5-739736d129ba', 'C# Script', 'csharp'],
  ['079bd9bd-54a0-41d4-98af-db999015f63d', 'VB Script', 'vb'],
  ['c9b2d725-6f87-4b07-af90-bd9aefef68eb', 'Script', undefined],
  ['719467e6-7cf5-4848-99b0-c5dd57e5442c', 'Python 3 Script', 'python3'],
  ['b6ba1144-02d6-4a2d-b53c-ec62e290eeb7', 'C# Script', 'csharp'],
  ['1e9e08fc-c31e-49eb-a36c-90de5e62e5f5', 'VB Script', 'vb'],
  ['f5e3456b-dcfc-4faa-ac4e-7804cb75ee6d', 'C# Script', 'csharp'],
]
