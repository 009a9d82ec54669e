import { expect } from 'vitest'
import {
  type RecorderOptions,
  type Recording,
  type RequestStep,
  recordingOf,
} from '../../src/index.ts'
import { findScenarioIssues } from '../../src/scenarios/format/check-scenario.ts'
import { exchange, type Told } from './exchange.ts'

/** Requests as a recording, which has no faults. */
export function recorded(told: readonly Told[], options: RecorderOptions = {}): Recording {
  const recording = recordingOf(told.map(exchange), options)
  expect(findScenarioIssues(recording.scenario)).toEqual([])
  return recording
}

/** Its steps. */
export function steps(
  told: readonly Told[],
  options: RecorderOptions = {},
): readonly RequestStep[] {
  return recorded(told, options).scenario.steps as RequestStep[]
}
