import type { ModelPlace, ViewPart } from '@meadow/contract/web'
import { useEffect, useRef } from 'react'
import { Vector3 } from 'three'
import { type Follow, useFollow } from '../live/follow.ts'
import { readChoice, writeChoice } from './colour/colour-choice.ts'
import type { useColouring } from './colour/use-colouring.ts'
import type { Section } from './drawing/section.ts'
import { fly } from './fly.ts'
import type { Part } from './scene/looks.ts'
import type { ChoiceActions } from './scene/use-choices.ts'
import type { Viewer } from './viewer.ts'

interface FollowModelInput {
  follow: Follow<ModelPlace> | undefined
  viewer: Viewer | undefined
  /** The size of the view in CSS pixels; zero until it is known. */
  size: { width: number; height: number }
  actions: ChoiceActions
  section: Section | undefined
  onSection: (section: Section | undefined) => void
  colouring: ReturnType<typeof useColouring>
}

/** Lets the 3D view follow the page, and tells the page what it shows: the camera, and what of the model is visible. */
export function useFollowModel(input: FollowModelInput): void {
  const { follow, viewer, size, actions, section, onSection, colouring } = input
  const stop = useRef<(() => void) | undefined>(undefined)
  useEffect(() => () => stop.current?.(), [])
  const aspect = size.width / size.height
  useFollow(follow, {
    isReady: viewer !== undefined && size.width > 0 && size.height > 0,
    read() {
      // The camera is fitted to the geometry when that is there.
      if (!viewer?.values?.count) return undefined
      const { target, direction, span, isParallel } = viewer.viewpoint
      const { hidden, isolated } = actions.choices
      return {
        kind: 'model',
        target: target.toArray(),
        direction: direction.normalize().toArray(),
        ...{ span, aspect, isParallel },
        hidden: hidden.map(toViewPart),
        isolated: isolated?.map(toViewPart) ?? null,
        section: section ?? null,
        colour: colouring.choice ? writeChoice(colouring.choice) : null,
      }
    },
    go({ target, direction, span, isParallel, ...place }, isInstant) {
      actions.restore({ hidden: place.hidden, isolated: place.isolated ?? undefined })
      onSection(place.section ?? undefined)
      colouring.setChoice(readChoice(place.colour))
      const viewpoint = {
        target: new Vector3(...target),
        direction: new Vector3(...direction).normalize(),
        // A narrower view also has to show what was at its sides.
        span: span * Math.max(1, place.aspect / aspect),
        isParallel,
      }
      stop.current?.()
      stop.current = undefined
      if (isInstant) viewer!.move(viewpoint)
      else stop.current = fly(viewer!, viewpoint)
    },
  })
}

const toViewPart = (part: Part): ViewPart =>
  'path' in part
    ? {
        nodeInstanceId: part.nodeInstanceId,
        portInstanceId: part.portInstanceId,
        path: part.path,
        index: part.index,
      }
    : { nodeInstanceId: part.nodeInstanceId }
