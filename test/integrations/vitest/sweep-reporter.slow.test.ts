import { expect, test } from 'vitest'
import { root } from '../../support/root.ts'
import { runVitest } from '../../support/run-vitest.ts'

function runSwept(...filters: readonly string[]) {
  const reporters = ['default', `${root}src/integrations/vitest/sweep.ts`]
  // On Node 26, msw 2 causes a warning about localStorage.
  const variables = { NODE_OPTIONS: '--disable-warning=ExperimentalWarning' }
  return runVitest('swept', variables, ...filters, ...reporters.map((name) => `--reporter=${name}`))
}

test('the reporter of sweeps runs each test against each plausible service, in its worker', async () => {
  const { code, stdout, stderr } = await runSwept('swept.example')

  expect(stderr).toContain('swallowed-delete, 2 times in "swept.example.ts > expects 405"')
  expect(stdout).toContain('7 passed (7)')
  expect(stdout).toMatch(/6 of 7 tests ran against \d+ other services: what they depend on \(3\):/)
  expect(stdout).toContain(
    "Your client depends on `annotations.deleted.visibility = hidden` (from the service's source, not from the documentation): 2 tests fail with `retrievable`; 2 tests fail with `listed`.",
  )
  expect(stdout).toContain('fails: a deleted row is hidden: 6')
  expect(stdout).toContain(
    "To see it fail: set settings: { 'annotations.deleted.visibility': 'retrievable' } in the options of the simulator",
  )
  expect(stdout).toContain(
    'Your client depends on `annotations.delete.status = 405` (an assumption): 1 test fails with `403`; 1 test fails with `404`.',
  )
  expect(code).toBe(1)
})

test('a test has its own timeout for its first run', async () => {
  const { code, stdout, stderr } = await runSwept('late.example')

  expect(`${stdout}${stderr}`).toContain('Error: Test timed out in 20ms.')
  expect(code).toBe(1)
})

test('the failure of a test that fails if it runs again is printed', async () => {
  const { stdout } = await runSwept('again.example')

  expect(stdout).toContain(
    'runs once was not swept: it fails if it runs again without its hooks: the client fails (the page is not empty: expected 2 to be 1 // Object.is equality).',
  )
})

test('each run of a test starts with the page as it was before the first run', async () => {
  const { stdout } = await runSwept('page.example')

  expect(stdout).toMatch(/1 of 1 tests ran against \d+ other services/)
})

test('without a test to sweep the run fails, and says why', async () => {
  const { code, stdout } = await runSwept('swept.example', '-t', 'sends no request')

  expect(stdout).toContain('No setting can matter, because none of 7 tests was swept. ')
  expect(code).toBe(1)
})
