import Type, { type Static } from 'typebox'
import { FIXED_RULES, looksAtTests, RULE_IDS, RULES, SEVERITIES } from './rules.ts'

const count = (description: string) => Type.Optional(Type.Integer({ minimum: 0, description }))
const patterns = (description: string) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1 }), { description }))
const tolerance = (description: string) => Type.Optional(Type.Number({ minimum: 0, description }))

const Rules = Type.Object(
  Object.fromEntries(
    RULE_IDS.filter((id) => !FIXED_RULES.includes(id)).map((id) => [
      id,
      Type.Optional(
        Type.Enum([...SEVERITIES], { description: `${RULES[id].says}.`, default: RULES[id].severity }),
      ),
    ]),
  ),
  { additionalProperties: false, description: 'The severity of each rule. An error fails the run.' },
)

/** The settings that can differ between files. */
const SETTINGS = {
  rules: Type.Optional(Rules),
  allowedPlugins: patterns(
    'The names of plug-ins that definitions may use, such as `Kangaroo2*`. `*` stands for any characters.',
  ),
  budgets: Type.Optional(
    Type.Object(
      {
        timeMs: count('The processor time of solving, in milliseconds.'),
        values: count('Values of all ports together.'),
        nodes: count('Nodes, those inside clusters included.'),
        bytes: count('The size of the file.'),
        nesting: count('Clusters inside each other: 0 allows none.'),
      },
      { additionalProperties: false, description: 'Limits of a definition, none by default.' },
    ),
  ),
  snapshot: Type.Optional(
    Type.Object(
      {
        nodes: patterns(
          'The names of nodes whose data a snapshot has, such as `Total*`; by default those at the ends of the graph.',
        ),
        absolute: tolerance('How much numbers may differ; 0.000001 by default.'),
        relative: tolerance(
          'How much numbers may differ, as a share of the larger one; 0.000001 by default.',
        ),
      },
      { additionalProperties: false, description: 'What snapshots have, and how exactly it has to be met.' },
    ),
  ),
  limits: Type.Optional(
    Type.Object(
      {
        timeMs: Type.Optional(
          Type.Integer({
            minimum: 100,
            description:
              'The processor time for reading and solving one definition, in milliseconds; 60000 by default.',
          }),
        ),
        memoryMb: Type.Optional(
          Type.Integer({
            minimum: 32,
            maximum: 65_536,
            description: 'Its memory, in megabytes; 1024 by default.',
          }),
        ),
      },
      { additionalProperties: false, description: 'Where checking a definition is given up.' },
    ),
  ),
}

const Override = Type.Object(
  {
    files: Type.Array(Type.String({ minLength: 1 }), {
      minItems: 1,
      description: "Globs, relative to the configuration's folder: `legacy/**`.",
    }),
    ...SETTINGS,
  },
  { additionalProperties: false },
)

/** A configuration file. */
export const CheckConfig = Type.Object(
  {
    $schema: Type.Optional(Type.String({ description: 'The address of this schema, for editors.' })),
    ignore: patterns("Globs of files that are not checked, relative to the configuration's folder."),
    ...SETTINGS,
    overrides: Type.Optional(
      Type.Array(Override, { description: 'Settings for some files. Later ones come before earlier ones.' }),
    ),
  },
  {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'meadow.check.json',
    description: 'The configuration of `meadow check`, also as meadow.check.yaml.',
    additionalProperties: false,
  },
)
export type CheckConfig = Static<typeof CheckConfig>

/** The table of rules in docs/check.md. */
export const RULES_PAGE: string = [
  '| Rule | Unless configured | Finds | In tests |',
  '| --- | --- | --- | --- |',
  ...RULE_IDS.map((id) => {
    const severity = FIXED_RULES.includes(id) ? `${RULES[id].severity}, always` : RULES[id].severity
    return `| <a id="${id}"></a>\`${id}\` | ${severity} | ${RULES[id].says}. | ${looksAtTests(id) ? 'yes' : ''} |`
  }),
].join('\n')
