import type { Contract } from '@meadow/contract/description'
import { GENERATED } from '../output.ts'
import { ENDPOINT_CLASS, writeConstants, writeMethods } from './endpoints.ts'
import { docstring, indent, literal } from './text.ts'
import { writeTypes } from './types.ts'

/** Writes `sdks/python/src/meadow/_generated/types.py`, with a type for each schema of the contract. */
export function writePythonTypes(contract: Contract): string {
  const types = writeTypes(contract)
  // This adds the types that have no name in the contract.
  writeMethods(contract, types)
  return join(
    head('The types of what the API answers.', TYPING),
    listNames([...types.keys()]),
    ...types.values(),
  )
}

const TYPING = 'from typing import Any, Literal, Optional, TypedDict, Union'

/** Writes `sdks/python/src/meadow/_generated/errors.py`, with a class for each status that has an error of its own. */
export function writePythonErrors({ statuses }: Contract): string {
  const classes = statuses.map(({ status, name, advice, mayRetry, exitCode }) => {
    const about = docstring(`${status}. ${advice}`)
    const lines = [`${about}\n`, ...(mayRetry ? ['is_retryable = True'] : []), `exit_code = ${exitCode}`]
    return `class ${name}(ApiError):\n${indent(lines.join('\n'))}`
  })
  const rows = statuses.map(({ status, name }) => `    ${status}: ${name},\n`)
  const table = `ERROR_CLASSES: dict[int, type[ApiError]] = {\n${rows.join('')}}
"""By status; the others have \`ApiError\` itself."""`
  const names = listNames(statuses.map(({ name }) => name))
  return join(head('The errors of the statuses.', 'from .._errors import ApiError'), names, ...classes, table)
}

/** Writes `sdks/python/src/meadow/_generated/endpoints.py`, with the endpoints and a method for each. */
export function writePythonEndpoints(contract: Contract): string {
  const types = writeTypes(contract)
  const methods = writeMethods(contract, types)
  const code = methods.replace(/"""[\s\S]*?"""/g, '')
  const used = [...types.keys()].filter((name) => new RegExp(`\\b${name}\\b`).test(code)).sort()
  const imports = `from typing import Any, Literal, NamedTuple, Optional, Union, cast, overload

from .types import ${used.join(', ')}`
  const prefix = `API_PREFIX = ${literal(contract.prefix)}\n"""Where the endpoints are, below the address of the service."""`
  return join(
    head('The endpoints of the API, and a method for each.', imports),
    prefix,
    ENDPOINT_CLASS,
    writeConstants(contract),
    methods,
  )
}

/** Writes the list of names that `import *` imports. */
const listNames = (names: readonly string[]): string =>
  `__all__ = [\n${names.map((name) => `    ${literal(name)},\n`).join('')}]`

const head = (title: string, imports: string): string =>
  `"""${title}\n\n${GENERATED}\n"""\n\nfrom __future__ import annotations\n\n${imports}`

const join = (...sections: readonly string[]): string => `${sections.join('\n\n\n')}\n`
