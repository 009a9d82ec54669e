/** In a file of its own, so that only who prints YAML loads it. */
export { stringify } from 'yaml'
