/** What the server serves, by name: for conditions of actions, and for those who ask whether a service is there. */
import { services as contractServices } from '../../../contract/gen/services.ts'
import { procedurePaths, serviceNames, THEIRS } from './aliases.ts'

/** Every name under which a service of the contract is served. */
const SERVED: ReadonlySet<string> = new Set(
  contractServices.flatMap(({ typeName }) => serviceNames(typeName).map(([name]) => name)),
)

/** As above, for the methods that take and give one message: nothing is called before or after a stream. */
const SERVED_METHODS: ReadonlySet<string> = new Set(
  contractServices.flatMap(({ typeName, methods }) =>
    methods
      .filter(({ methodKind }) => methodKind === 'unary')
      .flatMap(({ name }) => procedurePaths(typeName, name).map(([path]) => path)),
  ),
)

const NAMES_OF_CLIENTS = Object.freeze({
  services: [...SERVED].filter((name) => name.startsWith(`${THEIRS}.`)).sort(),
  methods: [...SERVED_METHODS].filter((name) => name.startsWith(`/${THEIRS}.`)).sort(),
})

/** What the server serves, by name. */
export const served = Object.freeze({
  isServed: (service: string) => SERVED.has(service),
  isServedMethod: (method: string) => SERVED_METHODS.has(method),
  servedNames: NAMES_OF_CLIENTS,
})
