/** Methods that note which of them look at the organization of the call: what the contract must say of them. */
import type { Call } from '../../src/access/call.ts'
import type { Method } from '../../src/access/method.ts'

function watch(call: Call, seen: () => void): Call {
  return new Proxy(call, {
    get(target, name) {
      if (name === 'organizationId') seen()
      // The desk keeps its secrets in private members, which a proxy has not.
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** Methods that note in `readers` which of them looked. */
export function watchMethods(methods: readonly Method[], readers: Set<Method['descriptor']>): readonly Method[] {
  return methods.map(({ descriptor, handle }) => ({
    descriptor,
    handle: (message, call) =>
      handle(
        message,
        watch(call, () => readers.add(descriptor)),
      ),
  }))
}
