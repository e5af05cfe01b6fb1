import { FIXED_RULES, type Finding, RULE_IDS, RULES } from '../config/rules.ts'
import { type CheckReport, describePlace, type FileReport } from './report.ts'

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json'

export interface SarifOptions {
  /** The version of the tool. */
  version: string
  /** The address below which the pages of the tool are, with an explanation of the rules. */
  helpUri?: string
}

/**
 * Writes a run as SARIF 2.1.0, which GitHub and others show beside the code, with a result for each finding. A
 * definition has no lines that people know, so its location is the file, with the node as a logical location.
 */
export function writeSarif({ files }: CheckReport, { version, helpUri }: SarifOptions): string {
  const log = {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'meadow check',
            semanticVersion: version,
            ...(helpUri !== undefined && { informationUri: helpUri }),
            rules: RULE_IDS.map((id) => ({
              id,
              shortDescription: { text: `${RULES[id].says}.` },
              defaultConfiguration: toConfiguration(id),
              ...(helpUri !== undefined && { helpUri: `${helpUri}#${id}` }),
            })),
          },
        },
        columnKind: 'utf16CodeUnits',
        results: files.flatMap((file) => file.findings.map((finding) => toResult(file, finding))),
      },
    ],
  }
  return `${JSON.stringify(log, undefined, 2)}\n`
}

function toConfiguration(id: (typeof RULE_IDS)[number]) {
  const { severity } = RULES[id]
  return severity === 'off' && !FIXED_RULES.includes(id)
    ? { enabled: false, level: 'error' }
    : { enabled: true, level: severity }
}

function toResult({ path }: FileReport, finding: Finding) {
  const { rule, severity, message, node } = finding
  const place = describePlace(finding)
  return {
    ruleId: rule,
    ruleIndex: RULE_IDS.indexOf(rule),
    level: severity,
    message: { text: `${place === '' ? '' : `${place}: `}${message}.` },
    locations: [
      {
        // GitHub shows results of the first line at the top of the file.
        physicalLocation: { artifactLocation: { uri: encodePath(path) }, region: { startLine: 1 } },
        ...(node && {
          logicalLocations: [
            {
              name: node.name,
              fullyQualifiedName: [...(node.clusters ?? []), node.name].join('/'),
              kind: 'object',
              properties: { instanceId: node.id, component: node.component, x: node.x, y: node.y },
            },
          ],
        }),
      },
    ],
    // The fingerprint identifies the same finding in the next run, whatever its place on the canvas or its numbers are.
    partialFingerprints: { 'meadowFinding/v1': [rule, path, node?.id ?? '', place].join(':') },
  }
}

/** Encodes a path as the reference of a URI. */
const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/')
