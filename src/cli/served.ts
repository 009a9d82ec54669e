import type { UnexpectedRequest } from '../replay-server/nearest-recorded.ts'
import { createSimulator, type Simulator } from '../simulator.ts'
import type { WorldJson } from '../world/world-json.ts'
import { optionsFor } from './begin.ts'
import { beginReplay, type OpenedRecording, type RecordingFlags } from './recorded.ts'

/** What is served. */
export interface Served {
  readonly simulator: Simulator
  /** As it was read of the file; null where a recording answers, and for what is part of the code */
  readonly world: WorldJson | null
  readonly recording: OpenedRecording | null
}

/** A recording, or else a world, as the flags want it. @throws UsageError for what cannot be begun with */
export async function beginServed(
  flags: RecordingFlags,
  onUnexpected: (request: UnexpectedRequest) => void,
): Promise<Served> {
  const recording = await beginReplay(flags, onUnexpected)
  if (recording) return { recording, simulator: recording.replay.simulator, world: null }
  const options = await optionsFor(flags)
  const world = typeof options.world === 'object' ? options.world : null
  return { recording, simulator: createSimulator(options), world }
}
