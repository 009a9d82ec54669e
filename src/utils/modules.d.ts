/** An imported JSON file is of type unknown: a fixture is checked when a world is loaded from it. */
declare module '*.json' {
  const value: unknown
  export default value
}

/** A style sheet that is imported with the type `text`, which esbuild bundles. */
declare module '*.css' {
  const text: string
  export default text
}
