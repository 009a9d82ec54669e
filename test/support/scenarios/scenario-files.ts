import { root } from '../cli/command.ts'
import { temporaryFile } from '../files.ts'
import { annotationsPath, readStep as readAnnotation } from './story.ts'

export { annotationsPath }

/** A story of the package. */
export const storyFile = `${root}scenarios/soft-delete-and-restore.json`

/** A file with a scenario of these steps. */
export const writeScenarioFile = (steps: unknown, more: object = {}): string =>
  temporaryFile(JSON.stringify({ title: 'A story', world: 'default', steps, ...more }))

/** Reads one annotation. */
export const readStep = { title: 'read <it>', ...readAnnotation }
/** The same, and not what it is answered. */
export const failingStep = {
  ...readStep,
  expect: { status: 200, body: { content: 'Release 2.0' } },
}
