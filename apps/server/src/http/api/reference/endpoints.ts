import type { ExampleCall } from '@meadow/contract/examples'
import type { OpenApi, OpenApiParameter, Operation, Response } from '@meadow/contract/openapi'
import { type Html, html, inline, paragraphs } from './html.ts'
import { samplesOf } from './samples.ts'
import { fieldsOf, row, type SchemaView, typeOf } from './schemas.ts'

/** Makes the sections of all endpoints. */
export function endpointSections({ paths, components }: OpenApi): Html {
  const view: SchemaView = { schemas: components.schemas, isExpanded: true }
  return html`${Object.entries(paths).map(([path, { get }]) => endpointSection(path, get, view))}`
}

function endpointSection(path: string, operation: Operation, view: SchemaView): Html {
  const { operationId, summary, description } = operation
  const parameters = operation.parameters.filter(({ in: where }) => where !== 'header')
  const headers = operation.parameters.filter(({ in: where }) => where === 'header')
  return html`<section class="endpoint" id="${operationId}" aria-labelledby="${operationId}-title">
<h3 id="${operationId}-title" data-find="GET ${path}: ${summary}"><span class="method">GET</span> <code>${path}</code>
<a class="anchor" href="#${operationId}" aria-label="Link to GET ${path}">#</a></h3>
<p class="summary">${inline(summary)}</p>
${description !== undefined && paragraphs(description)}
${parameterList('Parameters', operation, parameters, view)}
${parameterList('Request headers', operation, headers, view)}
<h4>Example</h4>
${samplesOf(operationId as ExampleCall)}
${tryForm(path, operation)}
<h4>Responses</h4>
${Object.entries(operation.responses).map(([status, response]) =>
  responseOf({ operationId, status, response, view }),
)}
</section>`
}

function parameterList(
  title: string,
  { operationId }: Operation,
  parameters: readonly OpenApiParameter[],
  view: SchemaView,
): Html | undefined {
  if (parameters.length === 0) return undefined
  const owned = { ...view, owner: { id: operationId, name: operationId } }
  return html`<h4>${title}</h4><ul class="fields">${parameters.map(
    ({ name, in: where, required, ...rest }) => {
      const schema =
        rest.description === undefined ? rest.schema : { ...rest.schema, description: rest.description }
      const note = where === 'path' ? 'in the path' : required ? 'required' : 'optional'
      return row({ name, schema, note }, owned)
    },
  )}</ul>`
}

/** Sends the request from the page. It needs the page's script, which shows it. */
function tryForm(path: string, { operationId, parameters }: Operation): Html {
  const fields = parameters.filter(({ in: where, name }) => where !== 'header' || name === 'Prefer')
  return html`<details class="try" hidden><summary>Send a request from this page</summary>
<form data-path="${path}"><label>API token <input name="token" type="password" autocomplete="off" spellcheck="false"
placeholder="mdw_…" required></label>${fields.map(({ name, in: where, required, schema }) => {
    const attributes = html`name="${name}" data-in="${where}"`
    const label = html`${name}${!required && ' (optional)'}`
    return schema.enum
      ? html`<label>${label} <select ${attributes}>${!required && html`<option value=""></option>`}${schema.enum.map(
          (value) => html`<option>${String(value)}</option>`,
        )}</select></label>`
      : html`<label>${label} <input ${attributes} autocomplete="off" spellcheck="false"
id="${operationId}-try-${name}"${where === 'path' && html` required`}></label>`
  })}<p><button>Send</button> <span class="about">The token stays in this page.</span></p>
<div class="answer" role="status"></div></form></details>`
}

interface ResponseParts {
  operationId: string
  status: string
  response: Response
  view: SchemaView
}

function responseOf({ operationId, status, response, view }: ResponseParts): Html {
  const body = response.content?.['application/json']
  const sentences = Object.values(body?.examples ?? {}).map(({ value }) => value.error)
  const id = `${operationId}-${status}`
  return html`<details class="response" id="${id}"${status === '200' && html` open`}>
<summary data-find="${status}: response of ${operationId}"><b class="status s${status[0]}">${status}</b>
${inline(sentences[0] ?? response.description)}${
  sentences.length > 1 && html` <span class="about">and ${sentences.length - 1} more</span>`
}</summary>
${sentences.length > 1 && html`<p>One of these sentences:</p><ul>${sentences.map((text) => html`<li>${text}</li>`)}</ul>`}
${headerList(response)}
${
  body &&
  html`<h5>Body</h5><p class="type">${sentences.length > 0 ? errorShape : typeOf(body.schema)}</p>
${sentences.length === 0 && fieldsOf(body.schema, view)}`
}
</details>`
}

const errorShape = html`<code>{ "error": "a sentence" }</code>`

function headerList({ headers }: Response): Html | undefined {
  const all = Object.entries(headers)
  if (all.length === 0) return undefined
  return html`<h5>Headers</h5><ul class="fields">${all.map(
    ([name, { description, schema }]) =>
      html`<li><code class="name">${name}</code> <span class="type">${typeOf(schema)}</span>
<span class="about">${inline(description)}</span></li>`,
  )}</ul>`
}
