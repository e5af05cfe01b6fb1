import type { OpenApi } from '@meadow/contract/openapi'
import { endpointSections } from './endpoints.ts'
import { chapterSection, createGuide } from './guide.ts'
import { type Html, html, inline, paragraphs } from './html.ts'
import { ADDRESS_PLACEHOLDER } from './samples.ts'
import { fieldsOf, type Schemas, schemaAnchor, typeOf } from './schemas.ts'

export interface PageOptions {
  /** The path of the public address. */
  publicPath: string
  /** The paths of the page's files, below the public path. */
  style: string
  script: string
}

/** Makes the reference page of a description. It has `ADDRESS_PLACEHOLDER` in place of the address of the service. */
export function createPage(description: OpenApi, { publicPath, style, script }: PageOptions): string {
  const { info, paths, components } = description
  const statuses = new Set(Object.values(paths).flatMap(({ get }) => Object.keys(get.responses).map(Number)))
  const guide = createGuide(
    [...statuses].sort((one, other) => one - other),
    publicPath,
  )
  return html`<!doctype html>
<html lang="en" data-address="${ADDRESS_PLACEHOLDER}" data-path="${publicPath}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="Reference of the Meadow API: endpoints, parameters, responses, examples.">
<title>Meadow API reference</title>
<link rel="stylesheet" href="${publicPath}${style}">
<script src="${publicPath}${script}" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top"><p class="brand"><a href="${publicPath}/">Meadow</a> API reference</p>
<form class="find" role="search" hidden><label class="unseen" for="find">Find in this reference</label>
<input id="find" type="search" placeholder="Find: endpoint, field, status" autocomplete="off" spellcheck="false"
aria-controls="found"><ul id="found" class="found" hidden></ul><p class="unseen" role="status"></p></form></header>
<div class="columns">
<nav aria-label="Contents" tabindex="0"><details class="contents"><summary>Contents</summary>
<ul>${guide.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul>
<p><a href="#endpoints">Endpoints</a></p>
<ul>${Object.entries(paths).map(
    ([path, { get }]) => html`<li><a href="#${get.operationId}"><code>${breakable(path)}</code></a></li>`,
  )}</ul>
<p><a href="#schemas">Schemas</a></p>
<ul>${Object.keys(components.schemas).map((name) => html`<li><a href="#${schemaAnchor(name)}">${name}</a></li>`)}</ul>
</details></nav>
<main id="content" tabindex="-1">
<h1>${info.title} API, version ${info.version}</h1>
${paragraphs(info.description)}
<p class="actions" hidden><button type="button" data-expand="true">Expand all</button>
<button type="button" data-expand="false">Collapse all</button></p>
${guide.map(chapterSection)}
<h2 id="endpoints">Endpoints</h2>
${endpointSections(description)}
<h2 id="schemas">Schemas</h2>
${schemaSections(components.schemas)}
</main>
</div>
</body>
</html>
`.text
}

/** Formats a path so that a narrow column can break it after each slash. */
const breakable = (path: string): Html =>
  html`${path.split('/').map((part, index) => (index === 0 ? part : html`/<wbr>${part}`))}`

function schemaSections(schemas: Schemas): Html {
  return html`${Object.entries(schemas).map(([name, schema]) => {
    const id = schemaAnchor(name)
    const view = { schemas, isExpanded: false, owner: { id, name } }
    return html`<section class="schema" id="${id}" aria-labelledby="${id}-title"><h3 id="${id}-title"
data-find="${name}: schema"><code>${name}</code> <a class="anchor" href="#${id}" aria-label="Link to ${name}">#</a></h3>
${schema.description !== undefined && html`<p>${inline(schema.description)}</p>`}
${fieldsOf(schema, view) ?? html`<p class="type">${typeOf(schema)}</p>`}</section>`
  })}`
}
