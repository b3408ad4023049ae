// Runs before require.js and the widget manager, on pages that hold a widget, so that widgets need no network.

// Modules such as anywidget lie beside require.js, wherever the page is opened from: a server or a folder.
window.require = { baseUrl: new URL("vendor/", document.currentScript.src).href };

// The widget manager typesets its labels through the queue of MathJax 2, which MathJax 3 no longer has.
document.addEventListener("DOMContentLoaded", () => {
  if (window.MathJax) {
    window.MathJax.Hub = { Queue: ([, , element]) => window.MathJax.typesetPromise?.([element]) };
  }
});
