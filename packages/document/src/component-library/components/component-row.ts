/**
 * A standard component in the data of the library. GUIDs identify components; names are not unique.
 *
 * Ports are written `Name (nickname): Type`, the nickname omitted where it is the name. After the type, `*` means list
 * access and `**` tree access; `= value` is the default that the component itself stores, with ` , ` between several;
 * ` ?` means optional without a default; ` …` marks ports that users can add more of. `XY` and `YZ` are world planes,
 * `XY[0,1][0,2]` is a rectangle in one, colours are `#aarrggbb`, and `π` and `π/2` are numbers.
 *
 * Source: nodepen/nodes (MIT), checked against several hundred public definitions; defaults as files have them. Where no
 * file has a component, they are those that Grasshopper shows.
 */
export type ComponentRow = readonly [
  guid: string,
  name: string,
  nickName: string,
  category: string,
  /** Ends in `(old)` for versions that Grasshopper no longer offers, in `(new)` for those that Rhino 7 lacks. */
  subcategory: string,
  icon: Icon,
  ports: PortStorage,
  inputs: string,
  outputs: string,
]

/**
 * How the web app draws a class: a glyph and, after a space, a sign in its corner, by the names that
 * `apps/web/src/document/graph/icons/glyphs.data.ts` gives them. `"sin` is a text in place of a glyph, `'X` one in place
 * of a sign.
 */
export type Icon = string

/**
 * How files store the ports of a component: one chunk for each, or, where users can add and remove ports, as
 * ParameterData. For some old versions with a variable number of ports it is not known.
 */
export type PortStorage = 'fixed' | 'variable' | 'unknown'
