/** Why bytes that begin like an image are none; the message is a clause, such as "it is cut off before its end". */
export class NotAWholeImage extends Error {}
