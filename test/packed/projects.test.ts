import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { chromiumPath } from '../support/browser/chromium.ts'
import { root } from '../support/cli/command.ts'
import { freePort } from '../support/free-port.ts'
import { mswVersions } from '../support/packed/consumers.ts'
import { type ProjectRun, projectOf, runProject, tableOf } from '../support/packed/projects.ts'

// Projects that use the package. The README shows some of their files.
const all: ProjectRun[] = []
afterAll(() => console.info(tableOf(all.sort((a, b) => a.project.localeCompare(b.project)))))

const projects = [
  { of: 'vitest', tests: 11 },
  { of: 'jest', tests: 3 },
  { of: 'node-test', tests: 7 },
  { of: 'playwright', tests: 8, needs: chromiumPath },
  { of: 'vite-react', tests: 4, needs: chromiumPath },
  { of: 'typescript', tests: 5 },
  { of: 'python', tests: 3, needs: 'python3' },
] as const

test('every project is run', () => {
  const folders = readdirSync(join(root, 'test', 'consumers'))

  expect(folders.filter((name) => name !== 'scripts').sort()).toEqual(
    projects.map(({ of }) => of).sort(),
  )
})

test.for(projects)('$of passes beside each msw', { concurrent: true }, async (project, context) => {
  const { of, tests } = project
  const { needs = null } = 'needs' in project ? project : {}
  context.skip(needs !== null && spawnSync(needs, ['--version']).status !== 0, `no ${needs}`)
  const runs: ProjectRun[] = []
  // The port of a project that starts a server.
  const variables = { PORT: String(await freePort()), CHROMIUM: chromiumPath }
  for await (const run of runProject(projectOf(of), variables)) runs.push(run)
  all.push(...runs)

  const { two, floor, three } = mswVersions
  expect(runs.map(({ msw }) => msw)).toEqual([[two], [floor], [three]])
  for (const run of runs) {
    expect(run.package).toMatch(/^file:understudy-api-[\d.]+\.tgz$/)
    expect([run.tests, run.warnings]).toEqual([tests, []])
  }
  expect(runs.at(-1)?.node).toMatch(/^v(2[2-9]|[3-9]\d)\./)
})
