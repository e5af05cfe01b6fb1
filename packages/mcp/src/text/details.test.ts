import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { DataValue, Document, Solution } from '@meadow/client'
import { createChain, findDemo } from '../testing/documents.ts'
import { describeNodes } from './describe-nodes.ts'
import { createSolvedGraph, describeValues, summarizeSolution } from './describe-solution.ts'
import { createShortIds } from './short-ids.ts'
import { describeTree, listBranches } from './show-tree.ts'

const number = (value: number): DataValue => ({ type: 'number', value })

function detailsOf(document: Document, ...nickNames: string[]): string[] {
  const nodes = Object.values(document.nodes).filter(({ nickName }) => nickNames.includes(nickName))
  return [...describeNodes(nodes, document, createShortIds(Object.keys(document.nodes)))]
}

describe('details of nodes', () => {
  test('[MCP-7] given a component, then its ids, group, ports with types, sources, targets and typed-in values', () => {
    const lines = detailsOf(findDemo('Twisted tower'), 'Plates')
    assert.equal(lines[0], '255 Scale "Plates"')
    assert.match(
      lines[1]!,
      /^ {2}id 255[\w-]{33}; component [\w-]{36}; at \d+,\d+; .*in group "Turn and taper the plates"$/,
    )
    assert.ok(lines.includes('  in G Geometry (Geometry item optional) < 584 Rotate .G'), lines.join('\n'))
    assert.ok(lines.some((line) => /^ {2}out G Geometry \(Geometry item\) > .*\b84e\.C\b/.test(line)))
    assert.ok(lines.some((line) => /^ {2}typed in at F$/.test(line)))
  })

  test('[MCP-7] given a script, then its source line by line; of several nodes its beginning', () => {
    const document = findDemo('Cable net roof (C#)')
    const script = Object.values(document.nodes).find(({ state }) => state?.kind === 'script')!
    const source = Array.from({ length: 200 }, (_, i) => `Print("line ${i}");`)
    script.state!.source = source.join('\r\n')
    const lines = detailsOf(document, script.nickName)
    for (const line of source) assert.ok(lines.includes(`      ${line}`), line)
    const both = [...describeNodes([script, script], document, createShortIds(Object.keys(document.nodes)))]
    assert.ok(both.includes('      Print("line 5");') && !both.includes('      Print("line 195");'))
  })

  test('[MCP-7] given many typed-in values, then ten of several nodes, and all of a single one', () => {
    const document = createChain(['a', 'b'])
    const [id] = Object.keys(document.nodes)
    document.nodes[id!]!.values[id!] = {
      branches: [{ path: '{0}', values: Array.from({ length: 100 }, (_, i) => number(i)) }],
    }
    const ids = createShortIds(Object.keys(document.nodes))
    const nodes = Object.values(document.nodes)
    const single = [...describeNodes([document.nodes[id!]!], document, ids)].join('\n')
    assert.match(single, /98, 99/)
    const several = [...describeNodes(nodes, document, ids)].join('\n')
    assert.match(several, /8, 9\n.*… 90 more values/)
  })
})

describe('values', () => {
  const document = createChain(['first', 'second'])
  const [first, second] = Object.keys(document.nodes) as [string, string]
  const solution = {
    data: {
      solutionId: 'sol_1',
      [first]: {
        [first]: { branches: [{ path: '{0}', values: Array.from({ length: 50 }, (_, i) => number(i / 3)) }] },
      },
      [second]: {
        [second]: {
          branches: [{ path: '{0}', values: [{ type: 'point', value: [0.1 + 0.2, 1e-16, 'NaN'] }, null] }],
        },
      },
    },
    includesGeometry: false,
    solvedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 12,
    completeness: { isComplete: false, nodes: 3, solved: 2, failed: 0, unsupported: 1, unknown: 0 },
    messages: [
      { nodeInstanceId: second, level: 'warning', message: 'A\nwarning' },
      { nodeInstanceId: first, level: 'error', code: 'unsupported', message: 'An error' },
    ],
  } as unknown as Solution

  test('[MCP-8] given a solution, then how it went, errors before warnings, and a line for each output', () => {
    const lines = [...summarizeSolution(createSolvedGraph(solution, document))]
    assert.deepEqual(lines.slice(0, 4), [
      'Solution sol_1, solved 2026-01-01T00:00:00.000Z in 12 ms.',
      'Not complete: of 3 nodes 2 solved, 0 failed, 1 unsupported, 0 unknown.',
      'error (unsupported): An error At 000 Panel',
      'warning: A warning At 265 Panel',
    ])
    assert.deepEqual(lines.slice(5), [
      '000 Panel: 50 numbers, 0 to 16.3333',
      '265 Panel: 1 point + 1 null, first (0.3,0,NaN)',
    ])
  })

  test('[MCP-8] given a message that many nodes have, then it is said once, with the first of them', () => {
    const texts = Array.from({ length: 20 }, (_, i) => `${i}`)
    const many = createChain(texts)
    const messages = Object.keys(many.nodes).map((nodeInstanceId) => ({
      ...{ nodeInstanceId, level: 'warning' as const, code: 'unknown' as const, message: 'Unknown.' },
    }))
    const lines = [...summarizeSolution(createSolvedGraph({ ...solution, messages }, many))]
    const warnings = lines.filter((line) => line.startsWith('warning'))
    assert.equal(warnings.length, 1)
    assert.match(warnings[0]!, /^warning \(unknown\): Unknown\. At (\w+ Panel, ){7}\w+ Panel and 12 more$/)
  })

  test('[MCP-8] given nodes, then their values by branch, in full for a single one, and their messages', () => {
    const solved = createSolvedGraph(solution, document)
    const single = [...describeValues([first], solved)]
    assert.ok(single.includes('  error (unsupported): An error'))
    assert.ok(
      single.some((line) => /^ {4}\{0\} \[40\] 13.3333, .*, 16.3333$/.test(line)),
      single.join('\n'),
    )
    const both = [...describeValues([first, second], solved)].join('\n')
    assert.match(both, /… 30 more values: ask for this node alone/)
    assert.match(both, /\{0\} \(0\.3,0,NaN\), null/)
  })

  test('[MCP-8] given a token that may not read documents, then nodes have ids in place of names', () => {
    const lines = [...summarizeSolution(createSolvedGraph(solution))]
    assert.ok(lines.includes(`000.${first}: 50 numbers, 0 to 16.3333`), lines.join('\n'))
  })

  test('[MCP-8] given neighbouring branches with one value each, then they are one line; others have their own', () => {
    const branches = [
      { path: '{0;0}', values: [number(1)] },
      { path: '{0;1}', values: [number(2)] },
      { path: '{0;3}', values: [number(3)] },
      { path: '{1;4}', values: [number(4)] },
      { path: '{2}', values: [] },
      { path: '{3}', values: [number(5), number(6)] },
    ]
    assert.deepEqual(
      [...listBranches({ branches }, 100)],
      ['{0;0..1} 1, 2', '{0;3} 3', '{1;4} 4', '{2} empty', '{3} 5, 6'],
    )
    assert.deepEqual([...listBranches({ branches }, 3)].at(-1), '… 3 more values: ask for this node alone')
    assert.equal(describeTree({ branches }), '6 numbers in 6 branches, 1 to 6')
  })
})
