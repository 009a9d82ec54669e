/** An imported JSON file is of type unknown: a fixture is checked when a world is loaded from it. */
declare module '*.json' {
  const value: unknown
  export default value
}
