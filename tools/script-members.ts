/** The use of libraries in the source of a script. */
export interface ScriptUse {
  /** The modules that the script imports, in full: `Rhino.Geometry`, `os.path`. */
  readonly modules: ReadonlySet<string>
  /**
   * The members of the libraries of `SHIMMABLE` that the script names: `Rhino.Geometry.Point3d` (its constructor, or
   * the type itself), `Rhino.Geometry.Plane.WorldXY`, `rhinoscriptsyntax.AddPoint`; and `.PointAt`, where the type of
   * the object is not known.
   */
  readonly members: ReadonlySet<string>
}

/** The libraries that a host of scripts would replace. Others belong to Python, or are packages. */
const SHIMMABLE = ['Rhino', 'rhinoscriptsyntax', 'ghpythonlib', 'Grasshopper', 'scriptcontext', 'System']

/** Namespaces of .NET and packages of Python; the segment after them is a type or function. */
const NAMESPACES = new Set(
  [
    'Rhino Rhino.Geometry Rhino.Geometry.Intersect Rhino.Geometry.Collections Rhino.Collections Rhino.Display',
    'Rhino.DocObjects Rhino.FileIO Rhino.NodeInCode Rhino.Render Rhino.Runtime Rhino.UI',
    'Grasshopper Grasshopper.Kernel Grasshopper.Kernel.Data Grasshopper.Kernel.Types Grasshopper.Kernel.Special',
    'Grasshopper.Kernel.Parameters',
    'System System.Collections System.Collections.Generic System.Drawing System.IO System.Threading',
    'System.Threading.Tasks System.Windows System.Windows.Forms',
    'ghpythonlib ghpythonlib.components ghpythonlib.componentbase ghpythonlib.parallel ghpythonlib.treehelpers',
    'rhinoscriptsyntax scriptcontext',
  ].flatMap((line) => line.split(' ')),
)

/** The modules of Python's own library that scripts import. The report lists the scripts that need other ones. */
const PYTHON_MODULES = new Set(
  [
    '__future__ abc bisect collections copy csv datetime decimal functools heapq inspect io itertools json logging',
    'math operator os random re statistics string sys time traceback types typing warnings',
  ].flatMap((line) => line.split(' ')),
)

const PYTHON_TEXT =
  /[rbuf]{0,2}("""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*')|#[^\n]*/gi
const CSHARP_TEXT =
  /\$?@"(?:""|[^"])*"|\$?"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'|\/\/[^\n]*|\/\*[\s\S]*?\*\//g
const PYTHON_IMPORT =
  /^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n]*)|import[ \t]+([^\n]*))/gm
/** A name with the names that follow it after dots; or only these, after a call or an index. */
const CHAIN = /(?<![\w.])([A-Za-z_]\w*)?((?:(?:(?<=[\w)\]])\s*\.\s*|(?<=\.)\s*)[A-Za-z_]\w*)*)/g
/** A name that the script defines: a function, a class, or an attribute of its own objects. */
const OWN_NAME = /\b(?:def|class)\s+(\w+)|\bself\.(\w+)\s*=[^=]/g
/** A name with a capital, as in .NET. Words in capitals are constants of Python. */
const CAPITALISED = /^[A-Z](?![A-Z_]{3})\w*$/

/**
 * Reads a Python source without running it. Names that the script defines itself are not counted. Names without a
 * capital are counted only where the library is known, since Python's own objects have such names as well.
 */
export function readPythonUse(source: string): ScriptUse {
  const code = source
    .replace(PYTHON_TEXT, (text) => (text.startsWith('#') ? '' : '""'))
    .replaceAll('\\\n', ' ')
  const modules = new Set<string>()
  const members = new Set<string>()
  const fullNames = new Map([['ghenv', 'ghenv']])
  for (const [, from, names = '', plain] of code.matchAll(PYTHON_IMPORT)) {
    for (const [name, alias] of listImported(plain ?? names)) {
      modules.add(from ?? name)
      if (from) fullNames.set(alias ?? name, `${from}.${name}`)
      else fullNames.set(alias ?? getRoot(name), alias ? name : getRoot(name))
    }
  }
  const body = code.replace(PYTHON_IMPORT, '')
  const own = new Set([...body.matchAll(OWN_NAME)].map(([, name, attribute]) => name ?? attribute))
  for (const [, root = '', rest = ''] of body.matchAll(CHAIN)) {
    const fullName = fullNames.get(root)
    const names = rest.split(/\s*\.\s*/).filter((name) => name !== '' && !own.has(name))
    if (fullName) addMembers([...fullName.split('.'), ...names], members)
    else addUntyped(names, members)
  }
  return { modules, members }
}

/** Returns the pairs of name and alias in `a.b as c, d`. */
function listImported(text: string): (readonly [name: string, alias: string | undefined])[] {
  return text
    .replace(/[();]/g, ' ')
    .split(',')
    .map((part) => part.trim().split(/\s+as\s+/))
    .flatMap(([name, alias]) => (name && /^[\w.*]+$/.test(name) ? [[name, alias] as const] : []))
}

const getRoot = (name: string): string => name.split('.')[0] ?? name

const isShimmable = (module: string): boolean => SHIMMABLE.includes(getRoot(module))

/** Returns the roots of the modules that neither belong to Python nor to a shim. */
export function listPackages({ modules }: ScriptUse): Set<string> {
  const roots = [...modules].filter((module) => !isShimmable(module)).map(getRoot)
  return new Set(roots.filter((root) => !PYTHON_MODULES.has(root)))
}

/** Adds a type or function, with at most one member of it: the types of further members are not known. */
function addMembers(names: readonly string[], members: Set<string>): void {
  const [root = ''] = names
  if (root !== 'ghenv' && !isShimmable(root)) return
  let depth = 1
  while (depth <= names.length && NAMESPACES.has(names.slice(0, depth).join('.'))) depth++
  if (names.length < depth) return
  const isType = root !== 'ghpythonlib' && CAPITALISED.test(names[depth] ?? '')
  const end = isType ? depth + 1 : depth
  members.add(names.slice(0, end).join('.'))
  addUntyped(names.slice(end), members)
}

function addUntyped(names: readonly string[], members: Set<string>): void {
  for (const name of names) if (CAPITALISED.test(name)) members.add(`.${name}`)
}

/** Reads a source in C# or VB: its imports, the types that it creates, and members without their types. */
export function readDotNetUse(imports: string, source: string): ScriptUse {
  const code = source.replace(CSHARP_TEXT, '""')
  const created = [...code.matchAll(/\bnew\s+(?:\w+\.)*([A-Z]\w*)/gi)].map(([, type = '']) => type)
  const members = new Set(created)
  const named = [...code.matchAll(/\.\s*([A-Z]\w*)/g)].map(([, name = '']) => name)
  addUntyped(named, members)
  const using = [...`${imports}\n${code}`.matchAll(/^\s*(?:using|imports)\s+([\w.]+)/gim)]
  return { modules: new Set(using.map(([, name = '']) => name)), members }
}
