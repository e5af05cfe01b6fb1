import type { ScriptLanguage } from '../graph/node-state.ts'
import type { Icon } from './components/component-row.ts'

/**
 * Objects on the canvas that are neither components nor parameters: GUID, name, nickname, category, subcategory, icon, which
 * sides it has as one parameter (`none`: it has no wires, or is a component with ports of its own), and the type of
 * its data.
 * Source: nodepen/nodes (MIT); sides as wired in several hundred public definitions. Assert True comes with Rhino 8 and
 * later: github.com/mcneel/Rhino.Testing.
 */
// biome-ignore format: one object a line
export const CANVAS_OBJECTS: readonly (readonly [
  guid: string, name: string, nickName: string, category: string, subcategory: string, icon: Icon,
  sides: 'none' | 'in' | 'out' | 'both', typeName: string,
])[] = [
  ['57da07bd-ecab-415d-9d86-af36d7073abc', 'Number Slider', '', 'Params', 'Input', 'slider', 'out', 'Number'],
  ['59e0b89a-e487-49f8-bab8-b5bab16be14c', 'Panel', '', 'Params', 'Input', 'panel', 'both', 'Text'],
  ['2e78987b-9dfb-42a2-8b76-3923ac8bd91a', 'Boolean Toggle', 'Toggle', 'Params', 'Input', 'bool dot', 'out', 'Boolean'],
  ['a8b97322-2d53-47cd-905e-b932c3ccd74e', 'Button', 'Button', 'Params', 'Input', 'button', 'out', 'Data'],
  ['00027467-0d24-4fa7-b178-8dc0ac5f42ec', 'Value List', 'List', 'Params', 'Input', 'valueList', 'out', 'Data'],
  ['9c53bac0-ba66-40bd-8154-ce9829b9db1a', 'Colour Swatch', 'Swatch', 'Params', 'Input', 'swatch', 'out', 'Colour'],
  ['318dacd7-9073-4ede-b043-a0c132eb77e0', 'MD Slider', 'MD Slider', 'Params', 'Input', 'mdSlider', 'out', 'Point'],
  ['bcac2747-348b-4edd-ae1f-77a782cebbdd', 'Control Knob', 'Knob', 'Params', 'Input', 'knob', 'out', 'Number'],
  ['51a2ede9-8f8c-4fdf-a375-999c2062eab7', 'Colour Wheel', 'Wheel', 'Params', 'Input', 'wheel', 'out', 'Colour'],
  ['339c0ee1-cf11-444f-8e10-65c9150ea755', 'Colour Picker', 'Colour', 'Params', 'Input', 'picker', 'out', 'Colour'],
  ['33bcf975-a0b2-4b54-99fd-585c893b9e88', 'Digit Scroller', '', 'Params', 'Input', 'digits', 'out', 'Number'],
  ['ab898d46-b8b3-4ed5-b28f-4f8047920262', 'Calendar', '', 'Params', 'Input', "clock 'D", 'out', 'Time'],
  ['f8a94819-1e2b-4d67-9100-9e983ac493cc', 'Clock', '', 'Params', 'Input', "clock 'h", 'out', 'Time'],
  ['bc984576-7aa6-491f-a91d-e444c33675a7', 'Graph Mapper', 'Graph', 'Params', 'Input', 'graph', 'both', 'Number'],
  ['d69a3494-785b-4beb-969b-d2373f65abfd', 'Image Sampler', 'Image', 'Params', 'Input', 'image', 'both', 'Data'],
  ['216bccd8-bf29-4d3c-b791-54c89a180db3', 'Image Resource', '', 'Params', 'Input', 'image lines', 'out', 'Data'],
  ['21553c44-ea62-475e-a8bb-62b2a3ee5ca5', 'Gene Pool', 'Genes', 'Params', 'Util', 'genes', 'out', 'Number'],
  ['b6236720-8d88-4289-93c3-ac4c99f9b97b', 'Relay', '', 'Params', 'Util', 'relay', 'both', 'Data'],
  ['5d4e1eeb-482e-42a7-aa2f-e5deb8a1018e', 'Suirify', 'Suirify', 'Params', 'Util', 'tree minus', 'both', 'Data'],
  ['401aa475-997a-4139-991d-f980ffdcf908', 'Data Recorder', 'Rec', 'Params', 'Util', 'recorder', 'both', 'Data'],
  ['448de216-3a12-43cf-a135-e3bfafc87744', 'Cluster Input', 'Input', 'Params', 'Util', 'input plus', 'out', 'Data'],
  ['a4b285fe-2e13-4204-b65c-189aa6704da5', 'Cluster Output', 'Output', 'Params', 'Util', 'output plus', 'in', 'Data'],
  ['7b36b876-9451-46f5-8220-a200d969cc66', 'Get Number', 'Get Number', 'Params', 'Util', "input '#", 'both', 'Number'],
  ['b228887e-0852-4d9f-bd46-2591646e0d7c', 'Get Integer', 'Get Integer', 'Params', 'Util', "input '1", 'both', 'Integer'],
  ['51ef601d-f86e-4ee4-bcf2-3d459d3e95e9', 'Get Boolean', 'Get Boolean', 'Params', 'Util', "input 'B", 'both', 'Boolean'],
  ['fed87bdd-8327-49cd-949c-09d70f3c345c', 'Get String', 'Get String', 'Params', 'Util', "input 'T", 'both', 'Text'],
  ['997704ba-c1d3-4262-9090-927c81347ce6', 'Get Point', 'Get Point', 'Params', 'Util', 'input point', 'both', 'Point'],
  ['af519c71-7dc1-4524-b8cc-add5544e2ef6', 'Get Line', 'Get Line', 'Params', 'Util', 'input line', 'both', 'Line'],
  ['41dd7ba9-1f53-49d9-af42-a9270b0e9454', 'Get Geometry', 'Get Geometry', 'Params', 'Util', "input 'G", 'both', 'Geometry'],
  ['0890a32c-4e30-4f06-a98f-ed62b45838cf', 'Assert True', 'AT', 'Params', 'Util', 'bool check', 'both', 'Boolean'],
  ['72a29b54-2e48-474b-a400-d2124c4edf79', 'Param Viewer', 'Viewer', 'Params', 'Util', 'eye', 'in', 'Data'],
  ['2b69bf71-4e69-43aa-b7be-4f6ce7e45bef', 'Quick Graph', 'Graph', 'Display', 'Graphs', 'graph', 'in', 'Number'],
  ['e1905a16-da43-4705-bd65-41d34328c4e6', 'Bar Graph', 'Bar Graph', 'Display', 'Graphs', "graph '|", 'in', 'Number'],
  ['952c2bcc-b5ec-480a-a0d7-27f016632e33', 'Pie Chart', 'Pie', 'Display', 'Graphs', 'wheel', 'in', 'Text'],
  ['615367b4-c9d0-4cb7-986c-cb861226136f', 'Value Tracker', 'Tracker', 'Display', 'Graphs', "graph 't", 'in', 'Number'],
  ['54ab3f01-a769-4742-a7bf-cec48a1acb6f', 'Image Gallery', 'Gallery', 'Display', 'Graphs', 'image dots', 'in', 'Data'],
  ['b6d27aa4-a61f-4d08-b76e-1105fef0e9e4', 'Display Matrix', 'Matrix', 'Maths', 'Matrix', 'matrix', 'both', 'Matrix'],
  ['93c24899-f456-4785-84f2-314958b9347b', 'Transform Matrix', 'Matrix', 'Transform', 'Util', 'matrix right', 'both', 'Transform'],
  ['f9b89a46-bc5d-4f7a-9a6f-134f93ac3af9', 'Path Mapper', 'Path Mapper', 'Sets', 'Tree', 'path right', 'both', 'Data'],
  ['7f6a9d34-0470-4bb7-aadd-07496bcbe572', 'Point On Curve', 'CurvePoint', 'Curve', 'Analysis', 'curve point', 'both', 'Data'],
  ['b341e2e5-c4b3-49a3-b3a4-b4e6e2054516', 'Geometry Pipeline', 'Pipeline', 'Params', 'Geometry', 'geometry right', 'out', 'Geometry'],
  ['65283518-ad00-49d3-87fb-f76823ebb162', 'Data Dam', 'Dam', 'Params', 'Util', 'relay none', 'none', ''],
  ['f31d8d7a-7536-4ac8-9c96-fde6ecda4d0a', 'Cluster', 'Cluster', 'Params', 'Util', 'cluster', 'none', ''],
  ['5a2b0735-ba98-4b7d-a7d3-c1dfc04475ad', 'Trigger', '', 'Params', 'Util', 'clock right', 'none', ''],
  ['e6dd2904-14bc-455b-8376-948bf2e3a7bc', 'Galapagos', 'Galapagos', 'Params', 'Util', 'genes star', 'none', ''],
  ['c552a431-af5b-46a9-a8a4-0fcbc27ef596', 'Group', 'Group', 'Params', 'Util', 'group', 'none', ''],
  ['7f5c6c55-f846-4a08-9c9a-cfdc285cc6fe', 'Scribble', 'Scribble', 'Params', 'Util', 'scribble', 'none', ''],
  ['2844fec5-142d-4381-bd5d-4cbcef6d6fed', 'Sketch', 'Sketch', 'Params', 'Util', 'sketch', 'none', ''],
]

/**
 * The script components: GUID, name, language (undefined: each script has its own). The author of a script defines its ports.
 * Source: nodepen/nodes (MIT), checked against several hundred public definitions.
 */
// biome-ignore format: one component a line
export const SCRIPTS: readonly (readonly [guid: string, name: string, language: ScriptLanguage | undefined])[] = [
  ['410755b1-224a-4c1e-a407-bf32fb45ea7e', 'GhPython Script', 'python2'],
  ['ceab6e56-ceec-a646-84d5-363c57440969', 'Python Interpreter', 'python2'],
  ['a9a8ebd2-fff5-4c44-a8f5-739736d129ba', 'C# Script', 'csharp'],
  ['079bd9bd-54a0-41d4-98af-db999015f63d', 'VB Script', 'vb'],
  ['c9b2d725-6f87-4b07-af90-bd9aefef68eb', 'Script', undefined],
  ['719467e6-7cf5-4848-99b0-c5dd57e5442c', 'Python 3 Script', 'python3'],
  ['97aa26ef-88ae-4ba6-98a6-ed6ddeca11d1', 'IronPython 2 Script', 'python2'],
  ['b6ba1144-02d6-4a2d-b53c-ec62e290eeb7', 'C# Script', 'csharp'],
  ['1e9e08fc-c31e-49eb-a36c-90de5e62e5f5', 'VB Script', 'vb'],
  ['f5e3456b-dcfc-4faa-ac4e-7804cb75ee6d', 'C# Script', 'csharp'],
]
