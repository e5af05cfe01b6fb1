/** How much a finding weighs: an error fails the run, a warning only with `--max-warnings`. */
export const SEVERITIES = ['error', 'warning', 'off'] as const
export type Severity = (typeof SEVERITIES)[number]

interface Rule {
  /** The severity unless a configuration says otherwise. */
  readonly severity: Severity
  /** What it finds: a sentence for lists of rules, without its full stop. */
  readonly says: string
  /** Whether the rule also applies to definitions whose name begins with `test_`. */
  readonly inTests?: true
}

/** Every rule, by its id. */
export const RULES = {
  'unreadable-file': { severity: 'error', says: 'The file cannot be read as a definition', inTests: true },
  'unfinished-solve': {
    severity: 'error',
    says: 'The definition cannot be solved: a circle of wires, or a limit of time or memory',
    inTests: true,
  },
  'test-failed': {
    severity: 'error',
    says: 'A component of a test reports an error, or an Assert True does not hold',
    inTests: true,
  },
  'test-unknown': {
    severity: 'error',
    says: 'The verdict of a test depends on something that Meadow cannot solve',
    inTests: true,
  },
  'component-error': { severity: 'error', says: 'A component reports an error' },
  'component-warning': { severity: 'warning', says: 'A component reports a warning' },
  plugin: { severity: 'warning', says: 'A component belongs to a plug-in that is not among those allowed' },
  script: { severity: 'warning', says: 'A component runs a script' },
  'unknown-value': {
    severity: 'warning',
    says: 'Meadow cannot solve a component, and does not know what depends on it',
  },
  'unconnected-input': { severity: 'warning', says: 'A required input has neither a wire nor a value' },
  'unnamed-slider': {
    severity: 'warning',
    says: 'A number slider that something uses has no name of its own',
  },
  'absolute-path': { severity: 'warning', says: 'A value is an absolute path of one computer' },
  'obsolete-component': { severity: 'warning', says: 'A component is an old version of itself' },
  'damaged-part': {
    severity: 'warning',
    says: 'A wire comes from an object that is not in the file, a list or port is incomplete, or geometry cannot be read',
  },
  'budget-time': { severity: 'error', says: 'Solving takes more processor time than its budget' },
  'budget-values': { severity: 'error', says: 'The solution has more values than its budget' },
  'budget-nodes': { severity: 'error', says: 'The definition has more nodes than its budget' },
  'budget-bytes': { severity: 'error', says: 'The file is larger than its budget' },
  'budget-nesting': { severity: 'error', says: 'Clusters are nested deeper than their budget' },
  'snapshot-different': {
    severity: 'error',
    says: 'An output differs from the snapshot by more than the tolerance',
    inTests: true,
  },
  'snapshot-unknown': {
    severity: 'error',
    says: 'An output of the snapshot depends on something that Meadow cannot solve',
    inTests: true,
  },
  'snapshot-missing': { severity: 'off', says: 'There is no snapshot beside the definition', inTests: true },
} as const satisfies Record<string, Rule>

export type RuleId = keyof typeof RULES

export const RULE_IDS = Object.keys(RULES) as RuleId[]

/** Rules that no configuration can turn off: a definition with such a finding has nothing else to be checked. */
export const FIXED_RULES: readonly RuleId[] = ['unreadable-file', 'unfinished-solve', 'test-failed']

/** Whether a rule looks at a definition that is a test. */
export const looksAtTests = (id: RuleId): boolean => 'inTests' in RULES[id]

/** The place of a finding: a node of the definition, with the clusters around it. */
export interface NodePlace {
  /** The instance id of the node, or of the outermost cluster that contains it. */
  id: string
  /** The name on the canvas, or the name of the component. */
  name: string
  /** The name of the component. */
  component: string
  /** The position on the canvas. */
  x: number
  y: number
  /** The names of the clusters that the node is in, from the outermost. */
  clusters?: string[]
}

/** Something that a rule found. The message is a sentence without its full stop. */
export interface Finding {
  rule: RuleId
  severity: Exclude<Severity, 'off'>
  message: string
  node?: NodePlace
}

/** A finding without its severity, which the configuration decides. */
export type FoundFault = Omit<Finding, 'severity'>
