import { spawn } from 'node:child_process'
import { cpSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { openChromium } from '../support/browser/chromium.ts'
import { chromiumPath } from '../support/browser/chromium-path.ts'
import { freePort } from '../support/free-port.ts'
import { tarball } from '../support/packed/consumers.ts'
import { installCommand, newProject, run, userEnvironment } from '../support/packed/first-hour.ts'
import { isRelease } from '../support/packed/install.ts'
import { isInstalled } from '../support/packed/is-installed.ts'
import { codeBlocks, commandsInRow, shellCommands } from '../support/repository/readme.ts'

// The first hour of a new user: a folder with the user's own files, the commands of the README, and files that the
// documents show. Each project ends with a green run.
const install = installCommand(tarball)

/** What the README shows of its first test, without the lines that have times. */
const [, firstOutput = ''] =
  codeBlocks('README.md')
    .find(({ language }) => language === 'console')
    ?.text.split(/(?=Client)| ✓/) ?? []

const beginnings = [
  {
    kind: 'the first test of the README',
    row: 'Vitest',
    files: ['vitest/create-annotation.test.ts'],
    passed: firstOutput,
  },
  { kind: 'Vitest', row: 'Vitest', files: ['vitest/launch.test.ts'], passed: /Tests +1 passed/ },
  {
    kind: 'MSW handlers',
    row: 'Vitest',
    files: ['vitest/annotations.test.ts'],
    passed: /Tests +1 passed/,
  },
  {
    kind: 'node:test',
    row: 'node:test',
    files: ['node-test/empty.test.mjs'],
    passed: /^(#|ℹ) pass 1$/m,
  },
  {
    kind: 'Jest',
    row: 'Jest, ES modules',
    files: ['jest/empty.test.mjs'],
    passed: /Tests: +1 passed/,
  },
  {
    kind: 'Vitest in a browser',
    row: "Vitest's browser mode",
    files: ['launch.test.ts', 'public/.gitkeep', 'vitest.config.mjs'].map(
      (name) => `vitest-browser/${name}`,
    ),
    needs: chromiumPath,
    passed: /Tests +1 passed/,
  },
  {
    kind: 'Playwright',
    row: 'Playwright',
    // The last ones are the application of the user, and its configuration.
    files: [
      'launch.spec.ts',
      'package.json',
      'index.html',
      'serve.mjs',
      'playwright.config.ts',
    ].map((name) => `playwright/${name}`),
    needs: chromiumPath,
    passed: /1 passed/,
  },
]
/** For a push, the first two: test/packed/projects.test.ts runs the others' projects. */
const tried = isRelease ? beginnings : beginnings.slice(0, 2)

test.for(tried)('$kind', { concurrent: true }, async ({ row, files, needs, passed }, context) => {
  context.skip(needs !== undefined && !isInstalled(needs), `no ${needs}`)
  const cwd = newProject(files, context)
  let printed = ''

  await run(install, cwd)
  for (const command of commandsInRow('src/integrations/README.md', row))
    printed = await run(command, cwd)

  expect(printed).toMatch(passed)
})

/** The way that the document shows to serve while a command runs, without a project of npm. */
const exec = shellCommands(
  codeBlocks('src/integrations/other-languages.md')[0] as never,
)[0]?.replace(/ go test.*/, '')

const jars = "'classes:/usr/share/java/*'"
const languages = [
  {
    kind: 'Python',
    files: ['pytest/test_annotations.py', 'pytest/test_sandbox.py'],
    needs: 'pytest',
    commands: [`${exec} pytest`],
    passed: /3 passed/,
  },
  {
    kind: 'Go',
    files: ['go/go.mod', 'go/sandbox_test.go', 'go/annotations_test.go'],
    needs: 'go',
    commands: [`${exec} go test ./...`],
    passed: /^ok /m,
  },
  {
    kind: 'Java',
    files: ['junit/Sandbox.java', 'junit/SandboxTest.java'],
    needs: '/usr/share/java/junit-platform-console.jar',
    commands: [
      `javac -d classes -cp ${jars} Sandbox.java SandboxTest.java`,
      `${exec} java -cp ${jars} org.junit.platform.console.ConsoleLauncher --select-class SandboxTest`,
    ],
    passed: /2 tests successful/,
  },
  {
    kind: 'Ruby',
    files: ['ruby/sandbox.rb', 'ruby/sandbox_test.rb'],
    needs: 'ruby -rminitest -e 1',
    commands: [`${exec} ruby sandbox_test.rb`],
    passed: /^2 runs, .* 0 failures, 0 errors/m,
  },
  {
    kind: 'C#',
    files: ['csharp/Sandbox.cs', 'csharp/SandboxTest.cs'],
    needs: 'nunit-console',
    commands: [
      'mcs -target:library -r:System.Net.Http.dll -pkg:nunit -out:Tests.dll Sandbox.cs SandboxTest.cs',
      `${exec} nunit-console -nologo -noresult Tests.dll`,
    ],
    passed: /^Tests run: 2, Errors: 0, Failures: 0/m,
  },
  {
    kind: 'PHP',
    files: ['php/sandbox.php', 'php/SandboxTest.php'],
    needs: 'phpunit',
    commands: [`${exec} phpunit SandboxTest.php`],
    passed: /^OK \(2 tests/m,
  },
]

test.for(isRelease ? languages : languages.slice(0, 1))(
  '$kind, from a folder with the file of the package',
  { concurrent: true },
  async ({ files, needs, commands, passed }, context) => {
    context.skip(!isInstalled(needs), `no ${needs}`)
    const cwd = newProject(files, context)
    cpSync(tarball, join(cwd, basename(tarball)))
    let printed = ''

    for (const command of commands) printed = await run(command, cwd)

    expect(printed).toMatch(passed)
  },
)

test('a page with Vite', { concurrent: true }, async (context) => {
  context.skip(!isInstalled(chromiumPath), `no ${chromiumPath}`)
  const files = [
    'main.tsx',
    'annotations.tsx',
    'index.html',
    'vite.config.ts',
    'public/favicon.svg',
  ]
  const cwd = newProject(
    files.map((name) => `vite-react/${name}`),
    context,
  )
  const port = await freePort()
  const [init = '', start = ''] = commandsInRow('src/integrations/README.md', 'a page with Vite')
  // The project of the user.
  await run('npm install react react-dom vite @vitejs/plugin-react', cwd)

  await run(install, cwd)
  await run(init, cwd)
  const server = spawn(`exec ${start} --host 127.0.0.1 --port ${port}`, {
    cwd,
    shell: true,
    env: userEnvironment,
    detached: true,
  })
  // npx starts Vite in a process of its own, so the whole group ends.
  context.onTestFinished(() => void process.kill(-(server.pid as number)))
  await new Promise((resolve) => server.stdout.once('data', resolve))
  const { browser } = await openChromium()
  context.onTestFinished(() => browser.close())
  const page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${port}/`)
  await page.locator('li').nth(5).waitFor()

  expect(await page.locator('li').count()).toBe(6)
})
