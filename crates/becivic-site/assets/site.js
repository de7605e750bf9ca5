// What pages can do more with JavaScript; everything works without.
