// The program that serves this page also fills it. The page sends nothing.
'use strict';

let pause = 250;

function connect() {
  const socket = new WebSocket(location.href.replace(/^http/, 'ws').replace(/inspector.*$/, '') + 'inspector-socket');
  socket.onopen = () => {
    pause = 250;
    document.getElementById('gone').hidden = true;
  };
  socket.onmessage = event => {
    for (const patch of JSON.parse(event.data)) document.getElementById(patch.fill).innerHTML = patch.html;
    for (const time of document.querySelectorAll('time[data-time]:empty')) {
      const date = new Date(Number(time.dataset.time));
      time.textContent = date.toLocaleTimeString();
      time.title = date.toLocaleString();
    }
  };
  socket.onclose = () => {
    document.getElementById('gone').hidden = false;
    setTimeout(connect, pause);
    pause = Math.min(pause * 2, 5000);
  };
}

connect();
