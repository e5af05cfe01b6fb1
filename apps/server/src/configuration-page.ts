import type { Variable } from './config/read-variables.ts'
import { VARIABLES } from './config/variables.ts'

/** `docs/configuration.md`, which `npm run generate` writes from the table of variables. */
export function configurationPage(): string {
  const variables = Object.entries<Variable>(VARIABLES)
  const rows = variables.map(
    ([name, { is, default: byDefault, says }]) =>
      `| \`${name}\` | ${is.accepts} | ${byDefault === undefined ? '' : `\`${byDefault}\``} | ${says} |`,
  )
  const secrets = variables.filter(([, { secret }]) => secret).map(([name]) => `\`${name}\``)
  return `# Configuration

Meadow reads its configuration from the environment, once, when it starts.

| Variable | Must be | When not set | What it says |
| --- | --- | --- | --- |
${rows.join('\n')}

- An empty variable counts as one that is not set.
- A secret (${secrets.join(', ')}) can be kept in a file: put \`_FILE\` behind the variable's name and set it to the
  file's path, as in \`DATABASE_URL_FILE=/run/secrets/database-url\`. A line end at the end of the file is left out.
- When something cannot be used, nothing starts, and all mistakes are told at once, by the names of the variables.
  A variable that nobody reads, and whose name is nearly one of these, is a warning at each start.
- A proxy in front passes on the \`Host\` header, and at \`/live\` WebSockets; \`X-Forwarded-For\` counts from those in
  \`MEADOW_TRUSTED_PROXIES\`. Without its path in \`MEADOW_BASE_URL\` the web app would look for its files elsewhere.
- Traces and metrics are sent to a collector of OpenTelemetry where \`OTEL_EXPORTER_OTLP_ENDPOINT\` (or the one of a single
  signal) is set. Its other standard variables count too: \`OTEL_EXPORTER_OTLP_PROTOCOL\`, \`OTEL_EXPORTER_OTLP_HEADERS\`,
  \`OTEL_SERVICE_NAME\`, \`OTEL_RESOURCE_ATTRIBUTES\`, \`OTEL_TRACES_SAMPLER\`, \`OTEL_PROPAGATORS\`, \`OTEL_TRACES_EXPORTER\`
  and \`OTEL_METRICS_EXPORTER\` (\`otlp\` or \`none\`), \`OTEL_METRIC_EXPORT_INTERVAL\`, \`OTEL_SDK_DISABLED\`.
- In Kubernetes, a service called \`meadow\` makes the cluster set \`MEADOW_PORT\` to an address in every pod: say
  \`enableServiceLinks: false\` in the pod, or give the service another name.
`
}
