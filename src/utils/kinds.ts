import { isObject } from './json.ts'

// What a value is, without `instanceof`: jsdom, Jest and node:vm have globals of their own, and what one of them made is
// no instance of the class of the same name here. For bytes there is `ArrayBuffer.isView`.

export function isError(value: unknown): value is Error {
  return isObject(value) && 'name' in value && 'message' in value
}

export function isDate(value: unknown): value is Date {
  return isObject(value) && 'getTime' in value
}

export function isRequest(value: unknown): value is Request {
  return isObject(value) && 'headers' in value && 'url' in value
}

export function isResponse(value: unknown): value is Response {
  return isObject(value) && 'headers' in value && 'status' in value
}
