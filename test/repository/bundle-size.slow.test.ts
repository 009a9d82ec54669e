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
  const atOnce = loadedWith(/stdin/)
  return {
    size: sizeOf(atOnce),
    ...{ loadedWith, sizeOf },
    files: (isAtOnce: boolean) =>
      names
        .filter((name) => atOnce.includes(name) === isAtOnce)
        .flatMap((name) => Object.keys(metafile.outputs[name]?.inputs ?? {})),
  }
}

/** The modules that the page loads on demand: the simulator, the validation of worlds, the factories. */
const apart =
  /zod|faker|@mswjs|fixtures|dist\/(explain|mistakes|report|sweep|compare|scenarios|adapters\/har|factories|world\/factories)|dist\/simulator\/simulator\.js|dist\/world\/load\/load-world|simulator\/(journal\/journal-reader|faults\/faults|sandboxes\/sandboxes)/

/** The modules that a page loads only for what it asks of its simulator: generated rows, and statements about a run. */
const rare =
  /faker|@mswjs|dist\/(factories|world\/factories|report\/run-follower|explain\/(explain|run-in-simulator))/

test('a page loads rarely used modules on demand, and no server, command line or control API', async () => {
  const { files } = await bundle()

  expect(files(true).filter((file) => apart.test(file))).toEqual([])
  expect(
    [...files(true), ...files(false)].filter((file) => /express|dist\/(cli|server)\//.test(file)),
  ).toEqual([])
  expect(files(false).some((file) => file.includes('@faker-js/faker'))).toBe(true)
})

test('what every page loads at once is under 48 kB gzipped, msw and the built-in worlds apart', async () => {
  const { size } = await bundle()

  console.info(`understudy-api/browser: ${size} bytes gzipped at once`)
  expect(size).toBeLessThan(48_000)
})

test('the simulator of a page is one part of under 140 kB gzipped, without what is rarely used', async () => {
  const { size, files } = await bundle(
    "export * from './dist/integrations/browser/page-simulator.js'",
  )

  console.info(`the simulator of a page: ${size} bytes gzipped`)
  expect(size).toBeLessThan(140_000)
  expect(files(true).filter((file) => rare.test(file))).toEqual([])
})

test('the panel of a page is under 50 kB gzipped when it is opened, its button under 2 kB, and nothing without one', async () => {
  const { loadedWith, sizeOf } = await bundle()

  const started = [...loadedWith(/stdin/), ...loadedWith(/page-simulator/)]
  const closed = loadedWith(/dashboard\/panel\.js/, started)
  const opened = loadedWith(/dashboard\/in-page/, [...started, ...closed])
  const sizes = { closed: sizeOf(closed), opened: sizeOf(opened) }

  console.info(`the panel: ${JSON.stringify(sizes)} bytes gzipped`)
  expect(sizes.closed).toBeGreaterThan(0)
  expect(sizes.closed).toBeLessThan(2_000)
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
  const script = "import { connect } from './src/index.ts'; globalThis.connect = connect"
  const { outputFiles, metafile } = await bundleScript(script, { splitting: false })

  const [output] = Object.values(metafile.outputs)
  const included = Object.entries(output?.inputs ?? {}).filter(
    ([, { bytesInOutput }]) => bytesInOutput,
  )
  expect(
    included.map(([file]) => file).filter((file) => /zod|msw|world\/table|server/.test(file)),
  ).toEqual([])
  expect(gzipSync(outputFiles?.[0]?.contents ?? '').length).toBeLessThan(6_300)
})
