import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createChain } from '../../../testing/chain.ts'
import { boundsOf, contains, rectangleOf, touches } from './rectangle.ts'
import { areaOfView, fitGraph, minZoomOf, openingView } from './view.ts'

const PANE = { width: 800, height: 500 }
/** A row of nodes, 200 units apart. */
const graph = (length: number) => createChain(length).reader.read()

test('[WEB-64] given a graph of any size, when it is fitted, then all of it is visible, and the zoom may be as small', () => {
  for (const length of [1, 10, 400]) {
    const content = graph(length)
    const view = fitGraph(content, PANE)!
    const bounds = boundsOf(Object.keys(content.nodes), content.nodes)!
    assert.ok(contains(areaOfView(view, PANE), bounds), String(length))
    assert.ok(minZoomOf(content, PANE) < view.zoom)
  }
  assert.equal(fitGraph({ nodes: {} }, PANE), undefined)
  assert.equal(minZoomOf({ nodes: {} }, PANE), 0.1)
  assert.ok(minZoomOf(graph(400), PANE) < 0.01)
})

test('[WEB-65] given the view of a file, when its document is opened for the first time, then the nodes in it are shown, no larger than there', () => {
  const content = graph(100)
  // The canvas from x = 10,000 on.
  const saved = { x: -10_000, y: 400, zoom: 1 }
  const view = openingView(content, PANE, { own: undefined, saved })!
  const area = areaOfView(view, PANE)
  assert.ok(view.zoom <= 1 && view.zoom > 0.4)
  assert.ok(area.left < 10_050 && area.right > 11_000, JSON.stringify(area))
  const shown = Object.values(content.nodes).filter((node) => touches(rectangleOf(node), area))
  assert.ok(shown.length > 4 && shown.length < 12, String(shown.length))
})

test('[WEB-65] given a view that shows no nodes, or a graph that is visible as a whole, when it is opened, then all of it is shown', () => {
  const content = graph(100)
  const all = fitGraph(content, PANE)
  const open = (
    saved: { x: number; y: number; zoom: number } | null,
    own?: { x: number; y: number; zoom: number },
  ) => openingView(content, PANE, { own, saved })
  assert.deepEqual(open(null), all)
  assert.deepEqual(open({ x: 0, y: 90_000, zoom: 1 }), all)
  assert.deepEqual(open({ x: 0, y: 0, zoom: 0.001 }), all)
  assert.deepEqual(open(null, { x: 0, y: 90_000, zoom: 1 }), all)
  assert.equal(openingView({ nodes: {} }, PANE, { own: undefined, saved: null }), undefined)
})

test('[WEB-65] given a view that a reader left a document at, when it is opened again, then that is shown', () => {
  const own = { x: 4000, y: 20, zoom: 2 }
  assert.equal(openingView(graph(100), PANE, { own, saved: { x: 0, y: 0, zoom: 1 } }), own)
})
