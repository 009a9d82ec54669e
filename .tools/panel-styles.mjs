import { build } from 'esbuild'

/**
 * Bundles the styles of the panel into its script, as text. The text has pixels in place of `rem`, since the root of a page
 * can have another size.
 */
export function panelStyles() {
  return {
    name: 'styles of the panel',
    setup({ onLoad }) {
      onLoad({ filter: /\/panel\.css$/ }, async ({ path }) => {
        const { outputFiles } = await build({
          entryPoints: [path],
          bundle: true,
          minify: true,
          target: 'es2022',
          write: false,
        })
        const [{ text }] = outputFiles
        const inPixels = text.replace(
          /(\d*\.?\d+)rem\b/g,
          (_, number) => `${Number(number) * 16}px`,
        )
        return { contents: inPixels, loader: 'text' }
      })
    },
  }
}
