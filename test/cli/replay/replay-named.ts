import { readFileSync } from 'node:fs'
import { replayFile, type ScenarioFile, toScenarioFiles } from '../../../src/cli/replay-file.ts'
import { Input } from '../../../src/utils/input.ts'

/** Replays a file without a word. @returns also what was noted about it */
export async function replayNamed(
  file: string,
  options: Partial<Parameters<typeof replayFile>[1]> = {},
) {
  const [read] = await toScenarioFiles([new Input(file, readFileSync(file), false)])
  const notes: string[] = []
  const note = (sentence: string): void => void notes.push(sentence)
  const silent = (): void => {}
  const shown = { title: silent, step: silent, summary: silent, note, problem: note }
  const { signal } = new AbortController()
  const setup = { world: 'default', signal, ...options }
  const replayed = await replayFile(read as ScenarioFile, setup, {
    ...shown,
    follow: (work) => work,
  })
  return { ...replayed, notes }
}
