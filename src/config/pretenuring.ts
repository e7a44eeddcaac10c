/**
 * V8 learns which objects live long and then allocates others like them in the old generation at once. Under HTTP/2 it learns that
 * of what belongs to a request, and is wrong about it from then on: requests that are over stay until a full collection
 * and keep what they point at. Measured: the port answered gRPC-web at half its speed once it had served gRPC for a
 * while, and at its full speed without this habit.
 */
import { setFlagsFromString } from 'node:v8'

setFlagsFromString('--no-allocation-site-pretenuring')
