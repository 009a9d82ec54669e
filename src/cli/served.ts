import type { UnexpectedRequest } from '../replay-server/nearest-recorded.ts'
import { createSimulator, type Simulator } from '../simulator.ts'
import type { WorldJson } from '../world/world-json.ts'
import { toSimulatorOptions } from './begin.ts'
import { type OpenedRecording, openRecording, type RecordingFlags } from './recorded.ts'

/** What is served. */
export interface ServedSource {
  readonly simulator: Simulator
  /** As it was read of the file; null where a recording answers, and for what is part of the code */
  readonly world: WorldJson | null
  readonly recording: OpenedRecording | null
}

/** A recording, or else a world, as the flags want it. @throws UsageError for what cannot be begun with */
export async function openServed(
  flags: RecordingFlags,
  onUnexpected: (request: UnexpectedRequest) => void,
): Promise<ServedSource> {
  const recording = await openRecording(flags, onUnexpected)
  if (recording) return { recording, simulator: recording.replay.simulator, world: null }
  const options = await toSimulatorOptions(flags)
  const world = typeof options.world === 'object' ? options.world : null
  return { recording, simulator: createSimulator(options), world }
}
