/** A call of a tool; arguments may need what an earlier answer says. */
export interface Step {
  tool: string
  args?: object | ((answers: readonly string[]) => object)
}

/** A question about the demo team, and how the documented tools answer it. */
export interface Question {
  asks: string
  steps: readonly Step[]
  /** What the last answer contains. */
  answer: RegExp
  /** All answers together have at most so many tokens. */
  tokens: number
}

const search = (args: object): Step => ({ tool: 'search_documents', args })
const outline = (document: string, group?: string): Step => ({
  tool: 'outline_document',
  args: { document, ...(group !== undefined && { group }) },
})
const details = (document: string, ...nodes: string[]): Step => ({
  tool: 'read_nodes',
  args: { document, nodes },
})
const values = (document: string, ...nodes: string[]): Step => ({
  tool: 'read_values',
  args: { document, ...(nodes.length > 0 && { nodes }) },
})
const exported = (document: string, format: string, more: object = {}): Step => ({
  tool: 'export_document',
  args: { document, format, ...more },
})
/** The folder with a name, from a list of the root folder. */
const inFolder = (name: string): Step => ({
  tool: 'list_folder',
  args: ([root = '']) => ({ folderId: new RegExp(`(fld_\\w+) ${name}/`).exec(root)?.[1] ?? '' }),
})

const TOWER = 'Twisted tower'

/** Twenty questions of people who never saw the documents. */
export const QUESTIONS: readonly Question[] = [
  {
    asks: 'What documents does the team have?',
    steps: [{ tool: 'list_folder', args: { depth: 5 } }],
    answer: /Twisted tower[\s\S]*Truss bridge|Truss bridge[\s\S]*Twisted tower/,
    tokens: 900,
  },
  {
    asks: 'Which document is about the tower?',
    steps: [search({ q: 'tower' })],
    answer: /Twisted tower/,
    tokens: 100,
  },
  {
    asks: 'What is in the folder of the harbour tower?',
    steps: [{ tool: 'list_folder' }, inFolder('2401 Harbour tower')],
    answer: /Massing\//,
    tokens: 400,
  },
  {
    asks: 'Which documents changed last?',
    steps: [search({})],
    answer: /last change\ndoc_\w+ .+ 20\d\d-/,
    tokens: 700,
  },
  {
    asks: 'Which documents use number sliders?',
    steps: [search({ uses: 'Number Slider' })],
    answer: /Truss bridge[\s\S]*stands for: component Number Slider/,
    tokens: 700,
  },
  {
    asks: 'Which documents use Kangaroo?',
    steps: [search({ uses: 'Kangaroo' })],
    answer: /No document matches\.\nuses stands for: no component/,
    tokens: 50,
  },
  {
    asks: 'Which documents have C# scripts?',
    steps: [search({ uses: 'C# Script' })],
    answer: /Cable net roof/,
    tokens: 150,
  },
  {
    asks: "Which slider drives the tower's height?",
    steps: [outline(TOWER)],
    answer: /Slider "Storeys" =42 \(10\.\.80\)[\s\S]*Slider "Storey height"/,
    tokens: 1500,
  },
  {
    asks: 'How many storeys does the tower have, and how many can it have?',
    steps: [details(TOWER, 'Storeys')],
    answer: /\{0\} 42\n[\s\S]*maximum: 80/,
    tokens: 300,
  },
  {
    asks: 'What does the number of storeys drive?',
    steps: [outline(TOWER)],
    answer: /Series "Heights" .*C<4b1/,
    tokens: 1500,
  },
  {
    asks: 'How are the plates turned?',
    steps: [outline(TOWER, 'Turn and taper the plates')],
    answer: /Rotate G</,
    tokens: 350,
  },
  {
    asks: 'Which inputs and results are meant for others?',
    steps: [outline(TOWER)],
    answer: /Pinned inputs: \w+.*\nPinned outputs: \w+/,
    tokens: 1500,
  },
  {
    asks: "What is the tower's gross area?",
    steps: [values(TOWER, 'Gross area')],
    answer: /Mass Addition "Gross area"\n {2}R: 24801\.8\n/,
    tokens: 450,
  },
  {
    asks: 'At which heights are the storeys?',
    steps: [values(TOWER, 'Heights')],
    answer: /0[\s\S]*3\.8[\s\S]*7\.6/,
    tokens: 400,
  },
  {
    asks: 'Is everything in the tower solved?',
    steps: [values(TOWER)],
    answer: /^Complete: 50 nodes\.$/m,
    tokens: 2400,
  },
  {
    asks: 'Why is there no basin?',
    steps: [values('Circular basin (fails on purpose)')],
    answer: /failed\. The wires of the document run in a circle, through "Width"/,
    tokens: 200,
  },
  {
    asks: 'What does the acoustic ceiling compute?',
    steps: [values('Acoustic ceiling')],
    answer: /never been solved/,
    tokens: 50,
  },
  {
    asks: 'What does the script of the cable net roof do?',
    steps: [
      outline('Cable net roof (C#)'),
      {
        tool: 'read_nodes',
        args: ([text = '']) => ({
          document: 'Cable net roof (C#)',
          nodes: [/^(\w+) C# Script/m.exec(text)?.[1] ?? ''],
        }),
      },
    ],
    answer: /RunScript|using Rhino/,
    tokens: 2300,
  },
  {
    asks: 'Give me the tower as a Rhino 7 model.',
    steps: [exported(TOWER, '.3dm', { modelerVersion: '7' })],
    answer: /https?:\/\/\S+\/downloads\/\S+/,
    tokens: 350,
  },
  {
    asks: 'Give me the definition of the tower.',
    steps: [exported(TOWER, '.gh')],
    answer: /https?:\/\/\S+\/downloads\/\S+/,
    tokens: 350,
  },
]
