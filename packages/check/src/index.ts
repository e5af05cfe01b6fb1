export { type CheckOptions, check } from './check.ts'
export { CheckError } from './config/check-error.ts'
export { CONFIG_NAMES } from './config/read-config.ts'
export { type Finding, type NodePlace, RULE_IDS, RULES, type RuleId, type Severity } from './config/rules.ts'
export type { AssertResult, AssertStatus, Measures } from './inspect/inspection.ts'
export { writeJunit } from './report/junit.ts'
export { writeMarkdown } from './report/markdown.ts'
export {
  type CheckReport,
  describeCounts,
  describePlace,
  type FileReport,
  type FileStatus,
} from './report/report.ts'
export { type SarifOptions, writeSarif } from './report/sarif.ts'
