/**
 * Bytes that start like an image but are not one; the message is a clause, such as "it is cut off before its
 * end".
 */
export class NotAWholeImage extends Error {}
