import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const root = fileURLToPath(new URL('..', import.meta.url))

const behaviour = ['test', 'test/laws']

/** Every behaviour test runs three times: each lane is a way by which a request reaches the same handlers. */
export const lane = (name: 'in-process' | 'http' | 'http-msw', isChecked = false) => ({
  extends: true as const,
  test: {
    name,
    provide: { lane: name, isChecked },
    include: behaviour.map((folder) => `${folder}/*.test.ts`),
    exclude: name === 'in-process' ? onlyOverHttp() : [],
  },
})

/** Files with tests of what only a socket can show: in-process they have none. */
function onlyOverHttp(): string[] {
  const files = behaviour.flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => `${folder}/${name}`),
  )
  return files.filter((file) => {
    const text = file.endsWith('.test.ts') ? readFileSync(join(root, file), 'utf8') : ''
    return /^overHttp\b/m.test(text) && !/^test[.(]/m.test(text)
  })
}

export default defineConfig({
  root,
  test: {
    // Importing MSW, Express and zod anew for each file costs eight times the tests themselves. The source
    // keeps no state of its own, and only test/support opens servers.
    isolate: false,
    // Vitest would leave one core free. Most of the time goes into waiting, for npm and for processes that start.
    maxWorkers: '100%',
    // Many files run at once: what takes a second alone may take many.
    testTimeout: 20_000,
    hookTimeout: 30_000,
    projects: [
      lane('in-process'),
      lane('http'),
      lane('http-msw'),
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/{world,python,unit,tools}/**/*.test.ts'],
          globalSetup: ['test/support/consumers-folder.ts'],
        },
      },
    ],
  },
})

declare module 'vitest' {
  export interface ProvidedContext {
    lane: 'in-process' | 'http' | 'http-msw'
    /** The folder of the projects that install the package */
    consumers: string
    /** Whether what is sent, and what comes, is held to the document of the API. */
    isChecked: boolean
  }
}
