import {
  API_ERRORS,
  API_PREFIX,
  SCOPES,
  SEARCH_LIMIT,
  STATUS_ERRORS,
  type StatusError,
} from '@meadow/contract'
import { type Html, html, inline } from './html.ts'
import { ADDRESS_PLACEHOLDER } from './samples.ts'

/** A chapter of the page about what holds for all endpoints. */
interface Chapter {
  id: string
  title: string
  text: Html
}

const code = (shell: string, text: string): Html =>
  html`<p class="language">${shell}</p><pre tabindex="0" aria-label="Line for ${shell}"><code>${text}</code></pre>`

/** What a client should do about statuses that are not errors or have no error class of their own. */
const OTHER_ADVICE: Record<number, string> = {
  200: 'The response is complete.',
  304: 'Nothing has changed since the entity tag that you sent: use your copy.',
  408: 'The request took too long to arrive. Send it again.',
  431: 'Send fewer or shorter headers.',
}

const adviceFor = (status: number): string =>
  (STATUS_ERRORS as Record<number, StatusError>)[status]?.advice ?? OTHER_ADVICE[status]!

/** Creates the chapters before the endpoints. `statuses` are the statuses of all endpoints. */
export const createGuide = (statuses: readonly number[], publicPath: string): Chapter[] => [
  {
    id: 'start',
    title: 'First request',
    text: html`<ol>
<li>Make a token: in the <a href="${publicPath}/">web app</a> under Settings, API tokens; or, as the operator,
with <code>meadow-server token create --team ID --name "My script"</code>.</li>
<li>Put it into a variable of your shell:
${code('bash, zsh', 'export MEADOW_TOKEN=mdw_…')}${code('PowerShell', '$env:MEADOW_TOKEN = "mdw_…"')}</li>
<li>Paste an <a href="#readTeam">example</a>. All examples take the token from there, and need nothing but their
language.</li></ol>
<p>Every endpoint is below <code>${ADDRESS_PLACEHOLDER}${API_PREFIX}</code>. A machine-readable description, OpenAPI 3.1, is
at <a href="${publicPath}/openapi.json"><code>/openapi.json</code></a>; it and this page need no token, and like
everything outside <code>${API_PREFIX}</code> they reject requests that carry one (403).</p>`,
  },
  {
    id: 'authentication',
    title: 'Authentication and scopes',
    text: html`<p>Each request carries <code>Authorization: Bearer &lt;token&gt;</code>. The token determines the team, so no
request names one. Under a host name of another team it is rejected with 403. A token ends when it expires or is revoked,
and when the person who made it leaves the team.</p>
<table><caption>Scopes</caption><thead><tr><th scope="col">Scope</th><th scope="col">Allows</th></tr></thead><tbody>${Object.entries(
      SCOPES,
    ).map(
      ([scope, says]) =>
        html`<tr data-find="${scope}: scope"><th scope="row"><code>${scope}</code></th><td>${says}</td></tr>`,
    )}</tbody></table>`,
  },
  {
    id: 'statuses',
    title: 'Statuses and errors',
    text: html`<p>Every response but 200 and 304 has the body <code>{ "error": "a sentence" }</code>. Branch on the status,
never on the words.</p>
<table><caption>Statuses</caption><thead><tr><th scope="col">Status</th><th scope="col">What to do</th></tr></thead><tbody>${statuses.map(
      (status) =>
        html`<tr data-find="${status}: what to do"><th scope="row"><b class="status s${String(status)[0]}">${status}</b></th>
<td>${inline(adviceFor(status))}</td></tr>`,
    )}</tbody></table>`,
  },
  {
    id: 'caching',
    title: 'Caching',
    text: html`<p>Every 200 has an <code>ETag</code>. Send it back as <code>If-None-Match</code>: the response is 304, without
a body, until something changes. Polling this way costs next to nothing. Bodies are compressed as
<code>Accept-Encoding</code> says: <code>zstd</code>, <code>br</code> or <code>gzip</code>.</p>`,
  },
  {
    id: 'limits',
    title: 'Limits',
    text: html`<p>Each token and team has a share of the service. Requests beyond it wait, and get 429 if they have waited too
long; 503 when the service as a whole is busy. Both have <code>Retry-After</code>. Where the operator limits requests per
minute, responses have <code>RateLimit-Policy</code> and <code>RateLimit</code>; a 304 does not count.
A search returns at most ${SEARCH_LIMIT} documents; there is no paging. The link of an export works for an hour.</p>`,
  },
  {
    id: 'values',
    title: 'Values and completeness',
    text: html`<p>Values are <a href="#schema-DataTree">data trees</a>: branches in the order of their paths, each a list of
<a href="#schema-DataValue">values</a>, also for a single number. What Meadow cannot solve, such as scripts and plug-ins, and
everything that depends on it, is unknown: its ports have no branches, <a href="#schema-Completeness">completeness</a> counts
such nodes, and <a href="#schema-SolutionMessage">messages</a> name the node that is the cause. Lengths are in the unit of the
document, angles in radians, times ISO 8601 in UTC.</p>`,
  },
  {
    id: 'changes',
    title: 'What can change',
    text: html`<p>The version of the API is in its path. Fields can be added at any time: ignore those that you do not know. The
shape of documents is announced by <code>document.version</code>, which is 1. The sentence of an error can change, such as
“${API_ERRORS.document_not_found.sentence}”; its status does not.</p>`,
  },
]

export const chapterSection = ({ id, title, text }: Chapter): Html =>
  html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title" data-find="${title}">${title}
<a class="anchor" href="#${id}" aria-label="Link to ${title}">#</a></h2>${text}</section>`
