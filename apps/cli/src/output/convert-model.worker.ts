import { parentPort, workerData } from 'node:worker_threads'
import { toGlb, toObj } from '@meadow/gltf'
import type { ModelJob } from './convert-model.ts'

/* The worker thread of `convertModel`. */

const { format, solution, options } = workerData as ModelJob
parentPort!.postMessage(format === 'glb' ? toGlb(solution, options) : toObj(solution, options))
