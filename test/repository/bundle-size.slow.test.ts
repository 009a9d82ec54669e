import { gzipSync } from 'node:zlib'
import { type BuildOptions, build } from 'esbuild'
import { expect, test } from 'vitest'
import { root } from '../support/cli/command.ts'

/** Bundles a script for a page, without msw. */
const bundleScript = (contents: string, options: Variations = {}) =>
  build({
    stdin: { contents, resolveDir: root },
    ...{ bundle: true, minify: true, splitting: true, outdir: root },
    ...{ format: 'esm', platform: 'browser', external: ['msw', 'msw/*'], logLevel: 'silent' },
    ...options,
    write: false,
    metafile: true,
  })

type Variations = Pick<BuildOptions, 'define' | 'external' | 'minify' | 'splitting'>

/**
 * Bundles `understudy-api/browser` without msw. The page loads some files at the start, and the others on
 * demand.
 */
async function bundle(
  contents = "import { startInBrowser } from './dist/browser.js'; startInBrowser()",
) {
  const { outputFiles = [], metafile } = await bundleScript(contents)
  const sizes = outputFiles.map(({ contents }) => gzipSync(contents).length)
  const names = Object.keys(metafile.outputs)
  /** The files that load with those that a module of this name is the entry of, besides what is loaded already */
  const loadedWith = (entry: RegExp, before: readonly string[] = []): string[] => {
    const loaded = names.filter((name) => entry.test(metafile.outputs[name]?.entryPoint ?? name))
    for (const name of loaded) {
      for (const { path, kind } of metafile.outputs[name]?.imports ?? [])
        if (kind === 'import-statement' && names.includes(path)) loaded.push(path)
    }
    return [...new Set(loaded)].filter((name) => !before.includes(name))
  }
  const sizeOf = (loaded: readonly string[]) =>
    names.reduce((sum, name, at) => sum + (loaded.includes(name) ? (sizes[at] ?? 0) : 0), 0)
  const inputsOf = (loaded: readonly string[]) =>
    loaded.flatMap((name) => Object.keys(metafile.outputs[name]?.inputs ?? {}))
  const atOnce = loadedWith(/stdin/)
  return {
    size: sizeOf(atOnce),
    ...{ loadedWith, sizeOf, inputsOf },
    files: (isAtOnce: boolean) =>
      inputsOf(names.filter((name) => atOnce.includes(name) === isAtOnce)),
  }
}

test('what every page loads at once is under 6 kB gzipped, msw apart, and nothing of the simulator', async () => {
  const { size, files } = await bundle()

  console.info(`understudy-api/browser: ${size} bytes gzipped at once`)
  expect(files(true).filter((file) => file.includes('simulator'))).toEqual([])
  expect(size).toBeLessThan(6_000)
})

test('a page loads the simulator on demand, under 140 kB gzipped, and no server, command line or factories with it', async () => {
  const { loadedWith, sizeOf, inputsOf, files } = await bundle()

  const loaded = loadedWith(/page-simulator/, loadedWith(/stdin/))
  const size = sizeOf(loaded)

  console.info(`the simulator of a page: ${size} bytes gzipped`)
  expect(size).toBeLessThan(140_000)
  expect(inputsOf(loaded)).toContain('dist/chunks/simulator.js')
  // Generated rows and explanations load when a page asks for them.
  expect(inputsOf(loaded).filter((file) => /generate|faker|explain/.test(file))).toEqual([])
  expect(files(false).some((file) => file.includes('@faker-js/faker'))).toBe(true)
  expect(files(false).filter((file) => /express|listen|vitest/.test(file))).toEqual([])
})

test('the panel of a page is under 50 kB gzipped when it is opened, its button under 2.5 kB, and nothing without one', async () => {
  const { loadedWith, sizeOf } = await bundle()

  const atStart = loadedWith(/stdin/)
  const started = [...atStart, ...loadedWith(/page-simulator/, atStart)]
  const closed = loadedWith(/panel\.js/, started)
  const opened = loadedWith(/in-page\.js/, [...started, ...closed])
  const sizes = { closed: sizeOf(closed), opened: sizeOf(opened) }

  console.info(`the panel: ${JSON.stringify(sizes)} bytes gzipped`)
  expect(sizes.closed).toBeGreaterThan(0)
  expect(sizes.closed).toBeLessThan(2_500)
  expect(sizes.opened).toBeGreaterThan(20_000)
  expect(sizes.opened).toBeLessThan(50_000)
})

test('a build for production has nothing of the simulator', async () => {
  const inputsOf = async (mode: string): Promise<string[]> => {
    const script = `if (import.meta.env.MODE === 'offline') {
      const { startInBrowser } = await import('./dist/browser.js')
      await startInBrowser()
    }`
    const define = { 'import.meta.env.MODE': JSON.stringify(mode) }
    const { metafile } = await bundleScript(script, { define, minify: false, external: [] })
    return Object.keys(metafile.inputs)
  }

  expect(await inputsOf('production')).toEqual(['<stdin>'])
  expect(await inputsOf('offline')).toContain('dist/browser.js')
})

test('a page that imports connect() alone does not load the simulator', async () => {
  const script = "import { connect } from './dist/index.js'; globalThis.connect = connect"
  const { outputFiles, metafile } = await bundleScript(script, { splitting: false })

  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs))
  const included = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0)
  expect(included.filter(([file]) => file.includes('simulator'))).toEqual([])
  expect(gzipSync(outputFiles?.[0]?.contents ?? '').length).toBeLessThan(6_300)
})
