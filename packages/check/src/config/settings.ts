import { dirname, relative } from 'node:path'
import picomatch from 'picomatch'
import type { CheckConfig } from './config.ts'
import { RULE_IDS, RULES, type RuleId, type Severity } from './rules.ts'

/** The settings for one definition. */
export interface Settings {
  rules: Readonly<Record<RuleId, Severity>>
  allowedPlugins: readonly string[]
  budgets: NonNullable<CheckConfig['budgets']>
  snapshot: SnapshotSettings
  limits: Limits
}

export interface SnapshotSettings {
  /** Globs for the names of nodes; undefined selects the nodes at the ends of the graph. */
  nodes: readonly string[] | undefined
  absolute: number
  relative: number
}

/** The limits at which the check of a definition is given up. */
export interface Limits {
  /** The processor time in milliseconds. */
  timeMs: number
  /** The memory of JavaScript values in megabytes. */
  memoryMb: number
}

const DEFAULTS: Settings = {
  rules: Object.fromEntries(RULE_IDS.map((id) => [id, RULES[id].severity])) as Record<RuleId, Severity>,
  allowedPlugins: [],
  budgets: {},
  snapshot: { nodes: undefined, absolute: 1e-6, relative: 1e-6 },
  limits: { timeMs: 60_000, memoryMb: 1024 },
}

/** A configuration with the file that it was read from. */
export interface LoadedConfig {
  file: string
  config: CheckConfig
}

/**
 * Returns the settings for a definition: the defaults, those of its configuration, and the overrides that name it, in
 * order.
 */
export function settingsFor(path: string, loaded: LoadedConfig | undefined): Settings {
  if (!loaded) return DEFAULTS
  const { config, file } = loaded
  const overrides = (config.overrides ?? []).filter(({ files }) => matches(path, files, file))
  return [config, ...overrides].reduce<Settings>(
    (settings, { rules = {}, allowedPlugins = [], budgets = {}, snapshot = {}, limits = {} }) => ({
      rules: { ...settings.rules, ...rules },
      allowedPlugins: [...settings.allowedPlugins, ...allowedPlugins],
      budgets: { ...settings.budgets, ...budgets },
      snapshot: { ...settings.snapshot, ...snapshot },
      limits: { ...settings.limits, ...limits },
    }),
    DEFAULTS,
  )
}

export const isIgnored = (path: string, loaded: LoadedConfig | undefined): boolean =>
  loaded?.config.ignore !== undefined && matches(path, loaded.config.ignore, loaded.file)

/** Whether one of the globs, which are relative to the folder of `configFile`, matches a path. */
function matches(path: string, globs: readonly string[], configFile: string): boolean {
  return picomatch([...globs], { dot: true })(relative(dirname(configFile), path).replaceAll('\\', '/'))
}
