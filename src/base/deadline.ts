// The deadline of a request, which travels as an AbortSignal. Work with a documented time of its own moves it.

type Move = (withinMs: number) => void

const moves = new WeakMap<AbortSignal, Move>()

/** Lets work move the deadline behind a signal. */
export const letMove = (signal: AbortSignal, move: Move): void => void moves.set(signal, move)

/** Moves the deadline behind the signal to so many milliseconds from now. A signal without a deadline stays as it is. */
export function moveDeadline(signal: AbortSignal | undefined, withinMs: number): void {
  if (signal) moves.get(signal)?.(withinMs)
}
