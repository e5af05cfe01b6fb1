import {
  AlwaysStencilFunc,
  BackSide,
  type Box3,
  BufferGeometry,
  DecrementWrapStencilOp,
  DoubleSide,
  FrontSide,
  Group,
  IncrementWrapStencilOp,
  Mesh,
  MeshBasicMaterial,
  NotEqualStencilFunc,
  Plane,
  PlaneGeometry,
  ReplaceStencilOp,
  type Side,
  type StencilOp,
  Vector3,
} from 'three'

/** A plane that removes what is on one side of it. */
export interface Section {
  axis: 'x' | 'y' | 'z'
  /** The coordinate at which the plane crosses the axis. */
  offset: number
  /** Whether the side of smaller coordinates is removed. */
  isFlipped: boolean
}

/** Draws closed bodies that the section cuts as solid. */
export interface SectionCaps {
  readonly object: Group
  /** The faces of closed bodies. */
  readonly solids: BufferGeometry
  place(plane: Plane, around: Box3): void
  setColour(colour: string): void
  dispose(): void
}

/** The plane of a section: it keeps the side that its normal points to. */
export function toPlane({ axis, offset, isFlipped }: Section, origin: Vector3): Plane {
  const sign = isFlipped ? 1 : -1
  const normal = new Vector3()
  normal[axis] = sign
  return new Plane(normal, -sign * (offset - origin[axis]))
}

/**
 * Counts in the stencil buffer: where a ray meets more back than front faces behind the plane, it meets the plane inside
 * a body. Source: the example `webgl_clipping_stencil` of three.
 */
export function createSectionCaps(): SectionCaps {
  const solids = new BufferGeometry()
  const count = (side: Side, op: StencilOp) => {
    const material = new MeshBasicMaterial({
      side,
      depthWrite: false,
      depthTest: false,
      colorWrite: false,
      stencilWrite: true,
      stencilFunc: AlwaysStencilFunc,
      stencilFail: op,
      stencilZFail: op,
      stencilZPass: op,
    })
    const mesh = new Mesh(solids, material)
    mesh.renderOrder = 1
    mesh.frustumCulled = false
    return mesh
  }
  const counters = [count(BackSide, IncrementWrapStencilOp), count(FrontSide, DecrementWrapStencilOp)]
  const cap = new Mesh(
    new PlaneGeometry(1, 1),
    new MeshBasicMaterial({
      side: DoubleSide,
      stencilWrite: true,
      stencilRef: 0,
      stencilFunc: NotEqualStencilFunc,
      stencilFail: ReplaceStencilOp,
      stencilZFail: ReplaceStencilOp,
      stencilZPass: ReplaceStencilOp,
      polygonOffset: true,
      polygonOffsetFactor: 1,
      polygonOffsetUnits: 1,
    }),
  )
  cap.renderOrder = 2
  const object = new Group()
  // The parts of this group are drawn in their own order, after everything else.
  object.renderOrder = 10
  object.visible = false
  object.add(...counters, cap)
  return {
    object,
    solids,
    place(plane, around) {
      for (const { material } of counters) material.clippingPlanes = [plane]
      plane.projectPoint(around.getCenter(new Vector3()), cap.position)
      cap.scale.setScalar(around.getSize(new Vector3()).length() * 1.1)
      cap.lookAt(cap.position.clone().add(plane.normal))
    },
    setColour(colour) {
      cap.material.color.set(colour)
    },
    dispose() {
      solids.dispose()
      cap.geometry.dispose()
      for (const { material } of [...counters, cap]) material.dispose()
    },
  }
}
